// Which function draws which element.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { button, feedbackButtons, iconButton } from "./buttons.js";
import { checkboxes, radioButtons } from "./choices.js";
import { fileInput } from "./files.js";
import { textInput } from "./inputs.js";
import { overflow } from "./overflow.js";
import { picker } from "./pickers.js";
import { select } from "./selects.js";
import { text } from "./text.js";

const DRAW = {
  button,
  checkboxes,
  datepicker: picker,
  datetimepicker: picker,
  email_text_input: textInput,
  feedback_buttons: feedbackButtons,
  file_input: fileInput,
  icon_button: iconButton,
  image,
  number_input: textInput,
  overflow,
  plain_text_input: textInput,
  radio_buttons: radioButtons,
  timepicker: picker,
  url_text_input: textInput,
};

const SELECTS = ["static", "external", "users", "conversations", "channels"];
for (const kind of SELECTS) DRAW[`${kind}_select`] = DRAW[`multi_${kind}_select`] = select;

/**
 * One element. `place` is {block, live, label?, labelId?, describedBy?, invalid?, optional?}.
 * `surface` is what it stands on: {key, person, names, values, opened, act(), options(), directory()}.
 */
export function draw(element, place, surface) {
  if (element.type === "mrkdwn" || element.type === "plain_text") return text(element, surface, place.block.block_id);
  const node = (DRAW[element.type] ?? unknown)(element, place, surface);
  node?.setAttribute?.("data-element", element.type);
  return node;
}

/** A picture that the workspace holds is shown; an image from elsewhere is never fetched: its words stand in for it. */
export function image(element) {
  if (element.slack_file?.id) return picture(element);
  return h(
    "span",
    { class: "image-placeholder", role: "img", "aria-label": element.alt_text ?? "Image" },
    icon("image"),
    element.alt_text ?? "",
  );
}

const picture = (element) =>
  h("img", {
    class: "picture",
    src: `/ui/file/${encodeURIComponent(element.slack_file.id)}`,
    alt: element.alt_text ?? "",
    title: element.alt_text ?? null,
  });

function unknown(element) {
  return h("span", { class: "unknown" }, `This page does not draw “${element.type}”.`);
}

// The everyday blocks: section, actions, context, header, divider, image, input, file, markdown.

import { h, uid } from "../dom.js";
import { link } from "../text/links.js";
import { long } from "../text/long.js";
import { markdown } from "../text/markdown.js";
import { plain } from "../text/mrkdwn.js";
import { draw, image } from "./elements.js";
import { text, words } from "./text.js";

export function section(block, surface) {
  const fields = (block.fields ?? []).map((field, at) =>
    h("div", { class: "section-field" }, text(field, surface, `${block.block_id} ${at}`)),
  );
  const place = { block, live: true, label: words(block.text) };
  return [
    h(
      "div",
      { class: "section-main" },
      block.text && h("div", { class: "section-text" }, text(block.text, surface, block.block_id)),
      fields.length > 0 && h("div", { class: "section-fields" }, fields),
    ),
    block.accessory && h("div", { class: "section-accessory" }, draw(block.accessory, place, surface)),
  ];
}

export const actions = (block, surface) =>
  block.elements.map((element) => draw(element, { block, live: true }, surface));

export const contextActions = (block, surface) =>
  block.elements.map((element) => draw(element, { block, live: true }, surface));

export const context = (block, surface) =>
  block.elements.map((element, at) =>
    element.type === "image"
      ? draw(element, { block }, surface)
      : h("div", { class: "context-text" }, text(element, surface, `${block.block_id} ${at}`)),
  );

export const header = (block) => h("h3", { dir: "auto" }, plain(words(block.text)));

export const divider = () => h("hr");

export function imageBlock(block) {
  const title = block.title && h("figcaption", {}, plain(words(block.title)));
  return h("figure", {}, title, image(block));
}

export const markdownBlock = (block, surface) =>
  long(block.text, (part) => markdown(part, surface.names), surface.opened, `${surface.key} ${block.block_id}`);

/** A video is not played here: its title leads to it. */
export function video(block) {
  const title = plain(words(block.title));
  return h("figure", {}, h("figcaption", {}, block.title_url ? link(block.title_url, title) : title), image(block));
}

export const file = (block) => h("p", { class: "quiet" }, `A file from elsewhere (${block.external_id})`);

const GROUPS = new Set(["radio_buttons", "checkboxes"]);

/** An input block: a label, its element, a hint, and the app's complaint about it when there is one. */
export function input(block, surface) {
  const [labelId, hintId, errorId] = [uid("label"), uid("hint"), uid("error")];
  const error = surface.errors?.[block.block_id];
  const described = [error && errorId, block.hint && hintId].filter(Boolean).join(" ") || null;
  const place = {
    block,
    live: Boolean(block.dispatch_action),
    labelId,
    describedBy: described,
    invalid: Boolean(error),
    optional: Boolean(block.optional),
  };
  const element = draw(block.element, place, surface);
  return [
    label(block, element, labelId),
    element,
    block.hint && h("p", { class: "hint", id: hintId }, plain(words(block.hint))),
    error && h("p", { class: "field-error", id: errorId, role: "alert" }, error),
  ];
}

function label(block, element, id) {
  const optional = block.optional && h("span", { class: "quiet" }, " (optional)");
  if (GROUPS.has(block.element.type)) return h("p", { class: "label", id }, plain(words(block.label)), optional);
  const control = element.matches("input, textarea") ? element : element.querySelector("input");
  if (control) control.id = uid("control");
  return h("label", { class: "label", id, for: control?.id }, plain(words(block.label)), optional);
}

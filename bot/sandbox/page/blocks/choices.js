// Radio buttons and checkboxes.

import { h, uid } from "../dom.js";
import { marks, perform } from "./perform.js";
import { line } from "./text.js";

export const radioButtons = (element, place, surface) =>
  group(element, place, surface, {
    kind: "radio",
    chosen: () => [surface.values.get(place.block, element).selected_option].filter(Boolean),
    fields: (options) => ({ selected_option: options.at(0) ?? null }),
  });

export const checkboxes = (element, place, surface) =>
  group(element, place, surface, {
    kind: "checkbox",
    chosen: () => surface.values.get(place.block, element).selected_options,
    fields: (options) => ({ selected_options: options }),
  });

function group(element, place, surface, { kind, chosen, fields }) {
  const role = kind === "radio" ? "radiogroup" : "group";
  const box = h("div", { class: "choices", role, ...marks(element, place), ...labels(place) });
  const name = uid("choice");
  const ticked = () => element.options.filter((_, at) => box.querySelectorAll("input")[at].checked);
  const reset = () =>
    [...box.querySelectorAll("input")].forEach((input, at) => (input.checked = holds(chosen(), element.options[at])));
  const onchange = async (event) => {
    if (!(await perform({ element, place, surface, control: event.currentTarget }, fields(ticked())))) reset();
  };
  box.append(
    ...element.options.map((option) =>
      choice(option, surface, { kind, name, checked: holds(chosen(), option), onchange, box }),
    ),
  );
  return box;
}

const holds = (options, option) => options.some((one) => one.value === option.value);

function choice(option, surface, { kind, name, checked, onchange, box }) {
  const input = h("input", { type: kind, name, checked, onchange, "data-value": option.value });
  input.dataset.focus = `${box.dataset.focus} ${option.value}`;
  const description = option.description && h("small", {}, line(option.description, surface));
  return h("label", { class: "choice" }, input, h("span", {}, line(option.text, surface), description));
}

/** The aria references of an element inside an input block, or its own label outside of one. */
export const labels = (place) => ({
  "aria-labelledby": place.labelId ?? null,
  "aria-label": place.labelId ? null : (place.label ?? null),
  "aria-describedby": place.describedBy ?? null,
  "aria-invalid": place.invalid ? "true" : null,
});

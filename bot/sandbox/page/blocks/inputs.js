// Text, number, e-mail and address inputs.

import { dress, h } from "../dom.js";
import { labels } from "./choices.js";
import { marks, perform } from "./perform.js";
import { words } from "./text.js";

const MODES = {
  number_input: { inputmode: "decimal" },
  email_text_input: { type: "email", autocomplete: "off" },
  url_text_input: { type: "url", autocomplete: "off" },
};

export function textInput(element, place, surface) {
  const control = element.multiline ? h("textarea", { rows: 4 }) : h("input", { type: "text", ...MODES[element.type] });
  dress(control, { ...marks(element, place), ...labels(place), ...limits(element) });
  control.classList.add("field");
  control.dir = "auto";
  control.value = surface.values.get(place.block, element).value ?? "";
  control.addEventListener("input", () => changed(element, place, surface, control));
  control.addEventListener("keydown", (event) => entered(event, { element, place, surface, control }));
  return control;
}

const limits = (element) => ({
  placeholder: words(element.placeholder) || null,
  maxlength: element.max_length ?? null,
  "data-min": element.min_value ?? null,
  "data-max": element.max_value ?? null,
});

const fieldsOf = (control) => ({ value: control.value === "" ? null : control.value });

const triggers = (element) => element.dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];

function changed(element, place, surface, control) {
  surface.values.set(place.block, element, fieldsOf(control));
  if (place.live && triggers(element).includes("on_character_entered"))
    surface.act({ ...identity(element, place), ...fieldsOf(control) });
}

function entered(event, { element, place, surface, control }) {
  if (event.key !== "Enter" || event.isComposing || element.multiline || !place.live) return;
  event.preventDefault();
  if (triggers(element).includes("on_enter_pressed")) perform({ element, place, surface, control }, fieldsOf(control));
}

const identity = (element, place) => ({
  type: element.type,
  block_id: place.block.block_id,
  action_id: element.action_id,
});

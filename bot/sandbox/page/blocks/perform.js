// A person's act on an element: asked to confirm where the app wants it, sent once, shown as busy until it is answered.

import { confirmed } from "../dialogs.js";
import { isStateful } from "./values.js";

/**
 * Sends `fields` as the act on `element`; gives false when the person declined or the sandbox refused.
 * `place` is {block, live}: an element that is not live (inside an input block) only keeps its value.
 */
export async function perform({ element, place, surface, control }, fields) {
  if (control?.getAttribute("aria-busy") === "true") return false;
  if (element.confirm && place.live && !(await confirmed(element.confirm, surface))) return false;
  const restore = isStateful(element) ? keep(surface.values, place.block, element, fields) : () => {};
  if (!place.live) return true;
  const taken = await whileBusy(control, () => surface.act({ ...described(element, place), ...fields }));
  if (!taken) restore();
  return taken;
}

/** Keeps what was chosen; gives a function that puts back what stood before. */
function keep(values, block, element, fields) {
  const before = values.get(block, element);
  values.set(block, element, fields);
  return () => values.set(block, element, before);
}

function described(element, place) {
  const action = { type: element.type, block_id: place.block.block_id, action_id: element.action_id };
  if (element.value !== undefined) action.value = element.value;
  if (element.type === "button") action.text = element.text;
  return action;
}

async function whileBusy(control, work) {
  control?.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    control?.removeAttribute("aria-busy");
  }
}

/** The attributes by which an element's control is found by tests and gets its focus back after a repaint. */
export const marks = (element, place) => ({
  "data-action-id": element.action_id ?? null,
  "data-block-id": place.block.block_id ?? null,
  "data-focus": `${place.block.block_id ?? ""} ${element.action_id}`,
  "data-focus-on-load": Boolean(element.focus_on_load),
});

// Date, time and date-and-time pickers: the browser's own inputs, sent when the person has come to rest on a value.

import { h } from "../dom.js";
import { labels } from "./choices.js";
import { marks, perform } from "./perform.js";
import { words } from "./text.js";

// Typing a year passes through 0002, 0020 and 0202: wait for quiet, and for a year that someone could mean.
const QUIET = 900;
const EARLIEST = "1900";

const toLocal = (seconds) => {
  if (!seconds) return "";
  const at = new Date(seconds * 1000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
};

const KINDS = {
  datepicker: { type: "date", key: "selected_date", show: (value) => value ?? "", read: (text) => text || null },
  timepicker: { type: "time", key: "selected_time", show: (value) => value ?? "", read: (text) => text || null },
  datetimepicker: {
    type: "datetime-local",
    key: "selected_date_time",
    show: toLocal,
    read: (text) => (text ? Math.floor(new Date(text).getTime() / 1000) : null),
  },
};

export function picker(element, place, surface) {
  const kind = KINDS[element.type];
  const control = h("input", {
    type: kind.type,
    class: "field field-short",
    ...marks(element, place),
    ...labels(place),
  });
  control.title = words(element.placeholder);
  if (!place.labelId) control.setAttribute("aria-label", words(element.placeholder) || place.label || kind.type);
  const held = () => kind.show(surface.values.get(place.block, element)[kind.key]);
  control.value = held();
  const send = () => settle({ element, place, surface, control }, kind, held);
  listen(control, send, place.live ? QUIET : 0);
  return control;
}

function listen(control, send, quiet) {
  let timer;
  control.addEventListener("change", () => (clearTimeout(timer), (timer = setTimeout(send, quiet))));
  control.addEventListener("blur", () => (clearTimeout(timer), send()));
  control.addEventListener(
    "keydown",
    (event) => event.key === "Enter" && (event.preventDefault(), clearTimeout(timer), send()),
  );
}

async function settle(act, kind, held) {
  const { value } = act.control;
  const unfinished = kind.type !== "time" && value !== "" && value < EARLIEST;
  if (value === held() || unfinished) return;
  if (!(await perform(act, { [kind.key]: kind.read(value) }))) act.control.value = held();
}

// What happened to the draft, newest first; what a model wanted and was refused stands out.

import { h } from "../dom.js";
import { isoClock } from "../times.js";

export function events(list) {
  if (!list.length) return h("p", { class: "nothing" }, "Nothing has happened here yet.");
  return h(
    "ol",
    { class: "events" },
    [...list]
      .reverse()
      .sort((a, b) => b.revision - a.revision)
      .map(event),
  );
}

function event({ revision, at, kind, summary }) {
  return h(
    "li",
    { "data-event-revision": revision, "data-refused": kind === "REJECTED" },
    h("span", { class: "event-revision", title: "Revision" }, String(revision)),
    h(
      "div",
      {},
      h("div", { class: "event-line" }, h("b", {}, kind), h("time", { class: "quiet", datetime: at }, isoClock(at))),
      summary && h("p", { dir: "auto" }, summary),
    ),
  );
}

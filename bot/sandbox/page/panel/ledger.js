// What a form of operations has done: the proposals that wait for a click, and the rows that stand.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { isoClock } from "../times.js";

/** `ledger` is {rows: [{number, words}], count, waiting: [{words: […], until}]}; null for a form without operations. */
export function ledger(ledger) {
  if (!ledger) return null;
  return [
    part("Waiting for a click", ledger.waiting.length, ledger.waiting.map(proposal), "Nothing waits."),
    part("Rows", ledger.count, ledger.rows.map(row), "No row stands yet."),
  ];
}

function part(title, count, items, none) {
  return h(
    "section",
    { class: "ledger-part" },
    h("h3", {}, title, h("span", { class: "ledger-count" }, String(count))),
    items.length ? h("ol", { "aria-label": title }, items) : h("p", { class: "quiet" }, none),
  );
}

const proposal = ({ words, until }) =>
  h(
    "li",
    { class: "ledger-waits" },
    icon("bolt", { size: 14 }),
    h(
      "div",
      { dir: "auto" },
      words.map((line) => h("p", {}, line)),
      until && h("p", { class: "quiet" }, `until ${isoClock(until)}`),
    ),
  );

const row = ({ number, words }) =>
  h(
    "li",
    { class: "ledger-row" },
    h("span", { class: "event-revision" }, String(number)),
    h("span", { dir: "auto" }, words),
  );

// A long text opens with its beginning and a button; the rest is drawn only when it is asked for.

import { fragment, h } from "../dom.js";

const LIMIT = { characters: 1800, lines: 40 };
const SHOWN = { characters: 900, lines: 18 };

/** `paint(text)` draws text; `memory` is a Set that remembers under `key` that it was opened. */
export function long(text, paint, memory, key) {
  if (!isLong(text)) return paint(text);
  const box = h("div", { class: "long" });
  const draw = () => box.replaceChildren(memory.has(key) ? paint(text) : paint(beginning(text)), toggle());
  const toggle = () => button(text, memory.has(key), () => (flip(memory, key), draw(), box.lastElementChild.focus()));
  draw();
  return fragment(box);
}

const isLong = (text) => text.length > LIMIT.characters || text.split("\n", LIMIT.lines + 1).length > LIMIT.lines;

function beginning(text) {
  const lines = text.slice(0, SHOWN.characters).split("\n").slice(0, SHOWN.lines).join("\n");
  const gap = lines.lastIndexOf(" ");
  return `${gap > SHOWN.characters / 2 ? lines.slice(0, gap) : wholeCharacters(lines)} …`;
}

const wholeCharacters = (text) => text.replace(/[\uD800-\uDBFF]$/, "");

function button(text, open, onclick) {
  const label = open ? "Show less" : `Show more (${text.length.toLocaleString("en-GB")} characters)`;
  return h(
    "button",
    { type: "button", class: "link-button", "data-focus": "long", "aria-expanded": String(open), onclick },
    label,
  );
}

function flip(memory, key) {
  if (!memory.delete(key)) memory.add(key);
}

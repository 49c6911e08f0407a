// Standard Markdown as elements, for the markdown block and streamed text: the parts of it that Slack shows.

import { fragment, h } from "../dom.js";
import { markdownInline } from "./markdown_inline.js";

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TASK = /^\[([ xX])\]\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const FENCE = /^\s{0,3}(```+|~~~+)/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** A fragment for Markdown text. `names` has person(id) and channel(id). */
export function markdown(text, names) {
  const lines = text.split(/\r?\n/);
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const [node, next] = block(lines, at, names);
    if (node) nodes.push(node);
    at = next;
  }
  return fragment(nodes);
}

function block(lines, at, names) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (FENCE.test(line)) return fenced(lines, at);
  if (HEADING.test(line)) return [heading(line, names), at + 1];
  if (RULE.test(line)) return [h("hr"), at + 1];
  if (QUOTE.test(line)) return quote(lines, at, names);
  if (ITEM.test(line)) return list(lines, at, names);
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "")) return table(lines, at, names);
  return paragraph(lines, at, names);
}

function take(lines, from, test) {
  let end = from;
  while (end < lines.length && test(lines[end])) end += 1;
  return [lines.slice(from, end), end];
}

function fenced(lines, at) {
  const [, sign] = FENCE.exec(lines[at]);
  const [body, end] = take(lines, at + 1, (line) => !line.trim().startsWith(sign));
  return [h("pre", {}, body.join("\n")), end + 1];
}

function heading(line, names) {
  const [, signs, text] = HEADING.exec(line);
  return h("p", { class: `heading heading-${Math.min(signs.length, 3)}`, dir: "auto" }, markdownInline(text, names));
}

function quote(lines, at, names) {
  const [body, end] = take(lines, at, (line) => QUOTE.test(line));
  const text = body.map((line) => QUOTE.exec(line)[1]).join("\n");
  return [h("blockquote", { dir: "auto" }, markdown(text, names)), end];
}

function paragraph(lines, at, names) {
  const plain = (line) => line.trim() && ![FENCE, HEADING, RULE, QUOTE, ITEM].some((mark) => mark.test(line));
  const [body, end] = take(lines, at + 1, plain);
  return [h("p", { dir: "auto" }, markdownInline([lines[at], ...body].join("\n"), names)), end];
}

function list(lines, at, names) {
  const [body, end] = take(lines, at, (line) => ITEM.test(line) || /^\s{2,}\S/.test(line));
  const items = [];
  for (const line of body) {
    const match = ITEM.exec(line);
    if (match) items.push({ depth: match[1].length, ordered: /\d/.test(match[2]), start: match[2], text: match[3] });
    else items.at(-1).text += `\n${line.trim()}`;
  }
  return [nested(items, names), end];
}

function nested(items, names) {
  const depth = items[0].depth;
  const root = h(
    items[0].ordered ? "ol" : "ul",
    items[0].ordered ? { start: Number.parseInt(items[0].start, 10) } : {},
  );
  for (let at = 0; at < items.length;) {
    const [deeper, next] = take(items, at + 1, (item) => item.depth > depth);
    root.append(h("li", { dir: "auto" }, task(items[at].text, names), deeper.length ? nested(deeper, names) : null));
    at = next;
  }
  return root;
}

function task(text, names) {
  const match = TASK.exec(text);
  if (!match) return markdownInline(text, names);
  const box = h("input", { type: "checkbox", disabled: true, checked: match[1] !== " " });
  return [box, " ", ...markdownInline(match[2], names)];
}

const cells = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function table(lines, at, names) {
  const [body, end] = take(lines, at + 2, (line) => line.includes("|") && line.trim());
  const row = (tag) => (line) =>
    h(
      "tr",
      {},
      cells(line).map((cell) => h(tag, { dir: "auto" }, markdownInline(cell, names))),
    );
  const grid = h("table", { class: "grid" }, h("thead", {}, row("th")(lines[at])), h("tbody", {}, body.map(row("td"))));
  return [h("div", { class: "grid-frame" }, grid), end];
}

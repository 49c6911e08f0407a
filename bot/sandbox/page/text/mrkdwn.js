// Slack's mrkdwn as elements: bold, italic, strike, code, quotes, references, emoji. The text itself is only ever text.

import { fragment, h } from "../dom.js";
import { emoji, withEmoji } from "./emoji.js";
import { link } from "./links.js";
import { decode, reference } from "./references.js";
import { scan } from "./scan.js";

const FENCE = "```";

// A mark opens after a gap and closes before one; what it holds has no blank at either end (docs.slack.dev, formatting text).
const marked = (sign) =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}${sign}])${sign}(?!\s)([^${sign}\n]+)(?<!\s)${sign}(?![\p{L}\p{N}${sign}])`,
    "gu",
  );

const BOLD = marked(String.raw`\*`);
const ITALIC = marked("_");
const STRIKE = marked("~");
const CODE = /`([^`\n]+)`/g;
const ANGLE = /<([^<>\n]+)>/g;
const EMOJI = /:([a-z0-9_+'-]+):/g;
export const ADDRESS = /https?:\/\/[^\s<>|"`]+[^\s<>|"`.,;:!?)\]}*_~]/g;

/** A fragment for mrkdwn text. `names` has person(id) and channel(id). */
export function mrkdwn(text, names) {
  const parts = text.split(FENCE);
  const closed = parts.length % 2 === 1;
  return fragment(parts.map((part, index) => section(part, index, { closed, last: parts.length - 1 }, names)));
}

/** Plain text with emoji, as Slack shows `plain_text`. */
export const plain = (text) => document.createTextNode(withEmoji(text));

function section(part, index, { closed, last }, names) {
  const fenced = index % 2 === 1;
  if (fenced && (closed || index < last)) return h("pre", {}, decode(part.replace(/^\n|\n$/g, "")));
  const text = fenced ? FENCE + part : trimAroundFence(part, index, last);
  return quoted(text, names);
}

function trimAroundFence(part, index, last) {
  const start = index > 0 ? part.replace(/^\s/, "") : part;
  return index < last ? start.replace(/\s$/, "") : start;
}

function quoted(text, names) {
  const groups = [];
  for (const line of text.split("\n")) {
    const quote = /^(?:>|&gt;) ?/.exec(line);
    const content = quote ? line.slice(quote[0].length) : line;
    if (groups.at(-1)?.quote === Boolean(quote)) groups.at(-1).lines.push(content);
    else groups.push({ quote: Boolean(quote), lines: [content] });
  }
  return groups.map((group) => paragraph(group, names));
}

function paragraph({ quote, lines }, names) {
  const content = inline(lines.join("\n"), names);
  if (quote) return h("blockquote", { dir: "auto" }, content);
  return lines.join("").trim() ? h("span", { class: "run", dir: "auto" }, content) : null;
}

function inline(text, names) {
  const inner = (tag) => (match) => h(tag, {}, inline(match[1], names));
  const rules = [
    { pattern: CODE, build: (match) => h("code", {}, decode(match[1])) },
    { pattern: ANGLE, build: (match) => reference(match[1], names) },
    { pattern: ADDRESS, build: (match) => link(decode(match[0]), decode(match[0])) },
    { pattern: BOLD, build: inner("strong") },
    { pattern: ITALIC, build: inner("em") },
    { pattern: STRIKE, build: inner("s") },
    { pattern: EMOJI, build: (match) => (emoji(match[1]) ? h("span", { class: "emoji" }, emoji(match[1])) : null) },
  ];
  return scan(text, rules, (words) => document.createTextNode(decode(words)));
}

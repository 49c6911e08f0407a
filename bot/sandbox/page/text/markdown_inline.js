// Markdown's inline marks as elements.

import { h } from "../dom.js";
import { emoji } from "./emoji.js";
import { link } from "./links.js";
import { ADDRESS } from "./mrkdwn.js";
import { decode, reference } from "./references.js";
import { scan } from "./scan.js";

const ESCAPED = /\\([\\`*_{}[\]()#+\-.!~|<>])/g;
const CODE = /(`+)([^`\n]+)\1/g;
const LINK = /!?\[([^[\]\n]*)\]\(<?([^()\s<>]*)>?(?:\s+"[^"\n]*")?\)/g;
const ANGLE = /<([^<>\n]+)>/g;
const BOTH = /\*\*\*(?!\s)([^*]+?)(?<!\s)\*\*\*/g;
const STRONG = /\*\*(?!\s)((?:[^*]|\*(?!\*))+?)(?<!\s)\*\*/g;
const STRONG_LINE = /(?<![\p{L}\p{N}])__(?!\s)([^_]+?)(?<!\s)__(?![\p{L}\p{N}])/gu;
const EMPHASIS = /\*(?![\s*])([^*\n]+?)(?<!\s)\*/g;
const EMPHASIS_LINE = /(?<![\p{L}\p{N}_])_(?![\s_])([^_\n]+?)(?<!\s)_(?![\p{L}\p{N}_])/gu;
const STRIKE = /~~(?!\s)([^~\n]+?)(?<!\s)~~/g;
const EMOJI = /:([a-z0-9_+'-]+):/g;

/** The nodes of one run of Markdown text. */
export function markdownInline(text, names) {
  const inner = (tag) => (match) => h(tag, {}, markdownInline(match[1], names));
  const rules = [
    { pattern: ESCAPED, build: (match) => document.createTextNode(match[1]) },
    { pattern: CODE, build: (match) => h("code", {}, match[2]) },
    { pattern: LINK, build: (match) => link(match[2], ...(match[1] ? markdownInline(match[1], names) : [match[2]])) },
    { pattern: ANGLE, build: (match) => reference(match[1], names) },
    { pattern: ADDRESS, build: (match) => link(match[0], match[0]) },
    { pattern: BOTH, build: (match) => h("strong", {}, h("em", {}, markdownInline(match[1], names))) },
    { pattern: STRONG, build: inner("strong") },
    { pattern: STRONG_LINE, build: inner("strong") },
    { pattern: EMPHASIS, build: inner("em") },
    { pattern: EMPHASIS_LINE, build: inner("em") },
    { pattern: STRIKE, build: inner("s") },
    { pattern: EMOJI, build: (match) => (emoji(match[1]) ? h("span", { class: "emoji" }, emoji(match[1])) : null) },
  ];
  return scan(text, rules, (words) => document.createTextNode(decode(words)));
}

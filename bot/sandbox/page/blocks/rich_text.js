// The rich_text block.

import { h } from "../dom.js";
import { emoji } from "../text/emoji.js";
import { link } from "../text/links.js";
import { long } from "../text/long.js";
import { reference } from "../text/references.js";

const STYLES = { code: "code", strike: "s", italic: "em", bold: "strong", underline: "u" };

const PARTS = {
  text: (part, surface) =>
    long(
      part.text,
      (text) => document.createTextNode(text),
      surface.opened,
      `${surface.key} ${part.text.slice(0, 80)}`,
    ),
  link: (part) => link(part.url, part.text || part.url),
  user: (part, { names }) => reference(`@${part.user_id}`, names),
  channel: (part, { names }) => reference(`#${part.channel_id}`, names),
  usergroup: (part, { names }) => reference(`!subteam^${part.usergroup_id}`, names),
  broadcast: (part, { names }) => reference(`!${part.range}`, names),
  emoji: (part) => h("span", { class: "emoji" }, fromCodePoints(part.unicode) ?? emoji(part.name) ?? `:${part.name}:`),
  date: (part, { names }) => reference(`!date^${part.timestamp}^${part.format}|${part.fallback ?? ""}`, names),
  color: (part) => h("code", {}, part.value),
};

const BLOCKS = {
  rich_text_section: (element, surface) => h("div", { class: "run", dir: "auto" }, parts(element, surface)),
  rich_text_preformatted: (element, surface) => h("pre", {}, parts(element, surface)),
  rich_text_quote: (element, surface) => h("blockquote", { dir: "auto" }, parts(element, surface)),
  rich_text_list: list,
};

/** The nodes of a rich_text block's elements. */
export const richText = (block, surface) =>
  block.elements.map((element) => BLOCKS[element.type]?.(element, surface) ?? null);

function list(element, surface) {
  const root = h(element.style === "ordered" ? "ol" : "ul", element.offset ? { start: element.offset + 1 } : {});
  root.style.marginInlineStart = `${(element.indent ?? 0) * 1.5}em`;
  root.append(...element.elements.map((item) => h("li", {}, BLOCKS[item.type]?.(item, surface) ?? null)));
  return root;
}

function parts(element, surface) {
  return element.elements.map((part) => styled(part, PARTS[part.type]?.(part, surface) ?? null));
}

function styled(part, node) {
  const tags = Object.keys(STYLES).filter((style) => part.style?.[style]);
  return node && tags.reduce((inner, style) => h(STYLES[style], {}, inner), node);
}

function fromCodePoints(unicode) {
  if (!/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(unicode ?? "")) return null;
  const codes = unicode.split("-").map((code) => Number.parseInt(code, 16));
  return codes.every((code) => code <= 0x10ffff) ? String.fromCodePoint(...codes) : null;
}

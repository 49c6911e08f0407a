// Blocks with a frame: alert, card, carousel, container, table, plan and task.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { draw, image } from "./elements.js";
import { richText } from "./rich_text.js";
import { text, words } from "./text.js";

const ALERT_ICONS = { error: "warning", warning: "warning", success: "check" };
const TASK_ICONS = { complete: "check", error: "warning", in_progress: "more", pending: "circle" };
const ALIGN = { center: "center", right: "end" };

export function alert(block, surface) {
  const level = block.level ?? "default";
  return h(
    "div",
    { class: `alert alert-${level}`, role: level === "error" ? "alert" : "note" },
    icon(ALERT_ICONS[level] ?? "info"),
    h("div", {}, text(block.text, surface, block.block_id)),
  );
}

export function card(block, surface) {
  const place = { block, live: true, label: words(block.title) };
  return h(
    "article",
    { class: "card" },
    block.hero_image && h("div", { class: "card-hero" }, image(block.hero_image)),
    h(
      "div",
      { class: "card-head" },
      block.icon && image(block.icon),
      h(
        "div",
        {},
        block.title && h("div", { class: "card-title" }, text(block.title, surface, "title")),
        block.subtitle && h("div", { class: "quiet" }, text(block.subtitle, surface, "subtitle")),
      ),
    ),
    block.body && h("div", { class: "card-body" }, text(block.body, surface, "body")),
    block.actions?.length > 0 &&
      h(
        "div",
        { class: "block-actions" },
        block.actions.map((element) => draw(element, place, surface)),
      ),
  );
}

export const carousel = (block, surface) =>
  h(
    "div",
    { class: "carousel", tabindex: 0, role: "group", "aria-label": "Cards" },
    block.elements.map((element) => card(element, surface)),
  );

/** A container's own frame around blocks that `render` draws. */
export function container(block, surface, render) {
  const title = h(
    "span",
    { class: "card-title" },
    block.rich_text_title ? richText(block.rich_text_title, surface) : words(block.title),
  );
  const heading = [title, block.subtitle && h("div", { class: "quiet" }, text(block.subtitle, surface, "subtitle"))];
  const body = h("div", { class: "container-body" }, render(block.child_blocks, surface));
  if (!block.is_collapsible) return h("section", { class: "card" }, heading, body);
  return h("details", { class: "card", open: !block.default_collapsed }, h("summary", {}, heading), body);
}

export function table(block, surface) {
  const [head, ...rows] = block.rows;
  const row = (tag) => (cells) =>
    h(
      "tr",
      {},
      cells.map((cell, column) => tableCell(tag, cell, block.column_settings?.[column], surface)),
    );
  const grid = h("table", { class: "grid" }, h("thead", {}, row("th")(head)), h("tbody", {}, rows.map(row("td"))));
  return h("div", { class: "grid-frame", tabindex: 0, role: "group", "aria-label": "Table" }, grid);
}

function tableCell(tag, cell, settings, surface) {
  const node = h(tag, { dir: "auto", class: settings?.is_wrapped ? "wrapped" : null }, cellContent(cell, surface));
  node.style.textAlign = ALIGN[settings?.align] ?? "";
  return node;
}

function cellContent(cell, surface) {
  if (!cell) return null;
  return cell.type === "rich_text" ? richText(cell, surface) : String(cell.text ?? cell.value ?? "");
}

export function task(block, surface) {
  const details = [block.details, block.output]
    .filter(Boolean)
    .map((entry) => h("div", { class: "quiet" }, typeof entry === "string" ? entry : richText(entry, surface)));
  const state = String(block.status).replace("_", " ");
  return h(
    "div",
    { class: `task task-${block.status}` },
    icon(TASK_ICONS[block.status], { label: state }),
    h("div", {}, words(block.title), details),
  );
}

export const plan = (block, surface) =>
  h(
    "section",
    { class: "card" },
    h("div", { class: "card-title" }, words(block.title)),
    (block.tasks ?? []).map((entry) => task(entry, surface)),
  );

// One message as Slack shows it: face, name, time, body, files, and what can be done with it.

import { avatar } from "./avatars.js";
import { renderBlocks } from "./blocks/index.js";
import { h } from "./dom.js";
import { editor } from "./editor.js";
import { icon } from "./icons.js";
import { nameOf } from "./state.js";
import { messageSurface } from "./surfaces.js";
import { long } from "./text/long.js";
import { mrkdwn } from "./text/mrkdwn.js";
import { clock, full } from "./times.js";

/** The list item of a message row (see rows.js). `view` is {store, acts, channel, zone, editing, onReply, onEdit}. */
export function messageItem(row, view) {
  const { message, ephemeral, reply, compact } = row;
  const name = authorName(message, view.store);
  const surface = messageSurface(view.store, view.acts, view.channel, row);
  const classes = [
    "row",
    "message",
    reply && "reply",
    compact && "compact",
    ephemeral && "ephemeral",
  ];
  return h(
    "li",
    {
      class: classes.filter(Boolean).join(" "),
      tabindex: -1,
      "aria-label": `${name}, ${clock(message.ts, view.zone)}`,
      "data-message-ts": message.ts,
      "data-thread-ts": message.thread_ts,
      "data-ephemeral": ephemeral,
    },
    ephemeral && h("p", { class: "only-you" }, icon("eye", { size: 14 }), "Only visible to you"),
    h(
      "div",
      { class: "gutter" },
      compact ? [time(message, view), edited(message, "edited")] : avatar(name, { app: isApp(message) }),
    ),
    h(
      "div",
      { class: "body" },
      !compact && heading(message, name, view),
      view.editing ? editor(message, view) : content(message, surface),
      message.files?.length > 0 && h("ul", { class: "files" }, message.files.map(file)),
    ),
    toolbar(row, name, view),
  );
}

export const isApp = (message) => Boolean(message.bot_id);

export function authorName(message, store) {
  if (isApp(message)) return message.username ?? store.world.bot.name;
  return message.user ? nameOf(store, message.user) : "Deleted message";
}

/** The words of a message, for a screen reader or a preview. */
export function gist(message) {
  return (message.text || message.files?.map((file) => file.name).join(", ") || "A card").slice(0, 300);
}

function heading(message, name, view) {
  return h(
    "div",
    { class: "heading-line" },
    h("span", { class: "author" }, h("bdi", {}, name)),
    isApp(message) && h("span", { class: "app-badge" }, "APP"),
    time(message, view),
    edited(message, "(edited)"),
  );
}

const edited = (message, words) => message.edited && h("span", { class: "edited", "data-role": "edited" }, words);

const time = (message, { zone }) =>
  h("time", { class: "time", title: full(message.ts, zone) }, clock(message.ts, zone));

function content(message, surface) {
  return h("div", { class: "content", "data-role": "content" }, words(message, surface), blocks(message, surface));
}

// Blocks stand in the place of the text.
function words(message, surface) {
  if (message.blocks?.length || !message.text) return null;
  return h(
    "div",
    { class: "text" },
    long(message.text, (part) => mrkdwn(part, surface.names), surface.opened, surface.key),
  );
}

const blocks = (message, surface) =>
  message.blocks?.length > 0 && h("div", { class: "blocks" }, renderBlocks(message.blocks, surface));

function file(entry) {
  const address = `/ui/file/${encodeURIComponent(entry.id)}`;
  const picture =
    /^image\/(png|jpeg|gif|webp)$/.test(entry.mimetype ?? "") &&
    h("img", { src: address, alt: entry.alt_txt ?? entry.title ?? entry.name, loading: "lazy" });
  const size = entry.size === undefined ? "" : ` · ${bytes(entry.size)}`;
  return h(
    "li",
    { class: "file", "data-file": entry.id },
    h(
      "a",
      { href: address, download: entry.name ?? "file" },
      icon("file", { size: 20 }),
      h("span", {}, h("bdi", {}, entry.name ?? "A file"), h("small", {}, (entry.mimetype ?? "file") + size)),
    ),
    picture,
  );
}

const bytes = (size) =>
  size < 1024
    ? `${size} bytes`
    : size < 1048576
      ? `${Math.round(size / 1024)} kB`
      : `${(size / 1048576).toFixed(1)} MB`;

function toolbar({ message, ephemeral }, name, view) {
  const tool = (label, picture, focus, onclick) =>
    h(
      "button",
      { type: "button", class: "icon-button", "aria-label": label, title: label, "data-focus": focus, onclick },
      icon(picture),
    );
  const mine = message.user === view.store.ui.person && !isApp(message);
  const tools = ephemeral
    ? [tool("Dismiss this message", "close", "dismiss", () => view.store.dismiss(message.ts))]
    : [tool(`Reply in thread to ${name}`, "reply", "reply", () => view.onReply(message.thread_ts ?? message.ts))];
  if (mine && !ephemeral) tools.push(tool("Edit this message", "edit", "edit", () => view.onEdit(message.ts)));
  if (mine && !ephemeral)
    tools.push(tool("Delete this message", "trash", "delete", () => view.acts.remove(message.ts)));
  return h("div", { class: "toolbar", role: "toolbar", "aria-label": "Message actions" }, tools);
}

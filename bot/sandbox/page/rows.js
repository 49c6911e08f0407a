// What stands in a conversation, top to bottom: days, messages with their replies below them, and the status lines.

import { messagesFor } from "./state.js";
import { day } from "./times.js";

const TOGETHER = 300;

/**
 * The rows of a channel for a person: {kind: "day", key, label}, {kind: "message", key, message, ephemeral, reply, compact},
 * {kind: "foot", key, root, count} under a thread and {kind: "status", key, status, messages, reply}.
 */
export function rowsOf(store, person, channel, zone) {
  const entries = messagesFor(store, person, channel);
  const roots = entries.filter((entry) => !isReply(entry, entries));
  const statuses = statusesOf(store, channel);
  const rows = [];
  for (const root of roots) rows.push(...dayRow(rows, root, zone), ...thread(root, entries, statuses, last(rows)));
  return [...rows, ...loose(statuses, rows)];
}

const last = (rows) => rows.findLast((row) => row.kind !== "day");

function isReply({ message }, entries) {
  const parent = message.thread_ts;
  return Boolean(parent) && parent !== message.ts && entries.some((entry) => entry.message.ts === parent);
}

function dayRow(rows, { message }, zone) {
  const label = day(message.ts, zone);
  const previous = rows.findLast((row) => row.kind === "day");
  return previous?.label === label ? [] : [{ kind: "day", key: `day ${label}`, label }];
}

function thread(root, entries, statuses, previous) {
  const { ts } = root.message;
  const replies = entries.filter(({ message }) => message.thread_ts === ts && message.ts !== ts);
  const rows = [messageRow(root, previous, false)];
  for (const reply of replies) rows.push(messageRow(reply, rows.length > 1 ? rows.at(-1) : null, true));
  if (replies.length) rows.push(...statuses.filter((one) => one.thread === ts).map((one) => statusRow(one, true)));
  if (replies.length) rows.push({ kind: "foot", key: `foot ${ts}`, root: ts, count: replies.length });
  return rows;
}

const authorOf = (message) => message.user ?? message.bot_id ?? "";

function messageRow({ message, ephemeral }, previous, reply) {
  const compact =
    previous?.kind === "message" &&
    !ephemeral &&
    !previous.ephemeral &&
    previous.reply === reply &&
    authorOf(previous.message) === authorOf(message) &&
    message.ts - previous.message.ts < TOGETHER;
  return { kind: "message", key: `message ${message.ts}`, message, ephemeral, reply, compact };
}

function statusesOf(store, channel) {
  return Object.entries(store.world.status ?? {})
    .map(([key, value]) => ({ channel: key.split("|")[0], thread: key.split("|")[1] ?? "", ...value }))
    .filter((one) => one.channel === channel && (one.status || one.loading_messages?.length));
}

const statusRow = (one, reply) => ({
  kind: "status",
  key: `status ${one.thread}`,
  status: one.status,
  messages: one.loading_messages ?? [],
  reply,
});

/** A status whose thread has no replies yet stands at the end of the conversation. */
function loose(statuses, rows) {
  const shown = new Set(rows.filter((row) => row.kind === "status").map((row) => row.key));
  return statuses.map((one) => statusRow(one, false)).filter((row) => !shown.has(row.key));
}

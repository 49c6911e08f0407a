// What blocks stand on: a message or a view. Joins the blocks' code to the store and to the person's acts.

import { Values } from "./blocks/values.js";
import { conversations, namesOf, titleOf } from "./state.js";

const held = new Map();

/** The values filled in on one surface; they live as long as the page. */
function valuesOf(key, sticky) {
  if (!held.has(key)) held.set(key, new Values({ sticky }));
  return held.get(key);
}

/** The surface of a message; `entry` is {message, ephemeral} in `channel`. */
export function messageSurface(store, acts, channel, { message, ephemeral }) {
  const container = { type: "message", channel, message_ts: message.ts, ...(ephemeral && { ephemeral: true }) };
  return surface(store, acts, {
    container,
    blocks: message.blocks ?? [],
    sticky: false,
    id: `${channel} ${message.ts}`,
  });
}

/** The surface of a modal or home view. `errors` are the app's complaints by block. */
export function viewSurface(store, acts, view, errors = {}) {
  const container = { type: "view", view_id: view.id };
  return { ...surface(store, acts, { container, blocks: view.blocks ?? [], sticky: true, id: view.id }), errors };
}

function surface(store, acts, { container, blocks, sticky, id }) {
  const { person } = store.ui;
  const values = valuesOf(`${person} ${id}`, sticky);
  return {
    key: id,
    person,
    values,
    names: namesOf(store),
    opened: store.opened,
    act: (action) => acts.click(container, action, values.state(blocks)),
    options: (query) => acts.options(container, query),
    keep: (files) => acts.keep(files),
    directory: (kind) => directory(store, kind),
  };
}

function directory(store, kind) {
  if (kind === "users_select") return store.world.people.map(({ id, real_name: name }) => ({ id, name }));
  const mine = conversations(store, store.ui.person).filter(
    (channel) => kind === "conversations_select" || channel.kind !== "dm",
  );
  return mine.map((channel) => ({
    id: channel.id,
    name: (channel.kind === "dm" ? "" : "#") + titleOf(store, channel),
  }));
}

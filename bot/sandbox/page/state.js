// What the page knows: the workspace as the sandbox told it, and where the person at the keyboard is. Plus questions about both.

const EMPTY_UI = { person: null, channel: null, tab: "messages", thread: null, editing: null, panel: true, drawer: false };

export class Store {
  #watchers = new Set();
  #scheduled = false;

  constructor() {
    this.world = null;
    this.inspect = null;
    this.ui = { ...EMPTY_UI };
    this.seen = new Map();
    this.opened = new Set();
    this.dismissed = new Set();
  }

  watch(watcher) {
    this.#watchers.add(watcher);
  }

  /** Replaces what the sandbox told; the first time everything counts as read. */
  setWorld(world) {
    const first = this.world === null;
    this.world = world;
    if (first)
      for (const person of world.people) for (const channel of world.channels) this.#markRead(person.id, channel.id);
    this.changed();
  }

  setInspect(inspect) {
    this.inspect = inspect;
    this.changed();
  }

  go(place) {
    Object.assign(this.ui, place);
    this.changed();
  }

  dismiss(key) {
    this.dismissed.add(key);
    this.changed();
  }

  markRead() {
    const { person, channel, tab } = this.ui;
    if (this.world && tab === "messages" && document.visibilityState === "visible") this.#markRead(person, channel);
  }

  /** Tells the watchers once for all changes of one task. */
  changed() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (const watcher of this.#watchers) watcher(this);
    });
  }

  #markRead(person, channel) {
    this.seen.set(`${person} ${channel}`, newest(messagesFor(this, person, channel)));
  }

  unread(person, channel) {
    const since = this.seen.get(`${person} ${channel}`) ?? "";
    return messagesFor(this, person, channel).filter(({ message }) => message.ts > since && message.user !== person)
      .length;
  }
}

const newest = (entries) => entries.reduce((latest, { message }) => (message.ts > latest ? message.ts : latest), "");

/** What a person sees in a channel, oldest first: [{message, ephemeral}]. */
export function messagesFor({ world, dismissed }, person, channel) {
  const posted = (world.messages[channel] ?? []).map((message) => ({ message, ephemeral: false }));
  const whispered = (world.ephemerals?.[person] ?? [])
    .filter((entry) => entry.channel === channel && !dismissed.has(entry.message.ts))
    .map(({ message }) => ({ message, ephemeral: true }));
  return [...posted, ...whispered].sort((a, b) => (a.message.ts < b.message.ts ? -1 : 1));
}

export const personOf = ({ world }, id) => world.people.find((person) => person.id === id) ?? null;
export const channelOf = ({ world }, id) => world.channels.find((channel) => channel.id === id) ?? null;
export const me = (store) => personOf(store, store.ui.person);
export const isDm = (store) => channelOf(store, store.ui.channel)?.kind === "dm";
export const topModal = ({ world, ui }) => world.modals?.[ui.person]?.at(-1) ?? null;

/** The conversations a person is in: direct messages first. */
export function conversations({ world }, person) {
  const mine = world.channels.filter((channel) => channel.members.includes(person));
  return [...mine.filter((channel) => channel.kind === "dm"), ...mine.filter((channel) => channel.kind !== "dm")];
}

/** Whether anybody of the workspace has something unread that is not on screen. */
export const newsElsewhere = (store) =>
  store.world.people.some(({ id }) => conversations(store, id).some((channel) => store.unread(id, channel.id) > 0));

/** What a conversation is called for the person who looks at it. */
export function titleOf(store, channel, person = store.ui.person) {
  if (channel.kind === "channel") return channel.name;
  const others = channel.members.filter((id) => id !== person);
  return others.map((id) => nameOf(store, id)).join(", ") || nameOf(store, person);
}

export function nameOf(store, id) {
  if (id === store.world.bot.user_id) return store.world.bot.name;
  return personOf(store, id)?.real_name ?? id;
}

/** The names that references in a text are shown by. */
export const namesOf = (store) => ({
  person: (id) => nameOf(store, id),
  channel: (id) => channelOf(store, id)?.name ?? id,
});

/** The thread that the inspector looks at: the one being answered, else that of the newest message. */
export function threadInView(store) {
  if (store.ui.thread) return store.ui.thread;
  const latest = messagesFor(store, store.ui.person, store.ui.channel).at(-1)?.message;
  return latest?.thread_ts ?? null;
}

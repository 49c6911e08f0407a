// The scrolling list of messages: follows the newest, or says that there is something new elsewhere.

import { avatar } from "./avatars.js";
import { h, keepingFocus, reconcile } from "./dom.js";
import { icon } from "./icons.js";
import { authorName, gist, messageItem } from "./message.js";
import { rowsOf } from "./rows.js";
import { isDm, me, nameOf } from "./state.js";
import { Status } from "./status.js";
import { announce } from "./toasts.js";

const NEAR = 120;

export class MessageList {
  constructor(store, acts, onReply) {
    Object.assign(this, { store, acts, onReply, place: null, known: new Map() });
    this.list = h("ol", { class: "messages" });
    this.atEnd = true;
    this.news = h(
      "button",
      { type: "button", class: "news", hidden: true, onclick: () => this.#showNews() },
      "Something new",
      icon("chevron", { size: 14 }),
    );
    this.scroller = h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": "Messages", onscroll: () => this.#scrolled() },
      this.list,
    );
    this.element = h("div", { class: "messages-pane", id: "messages-pane" }, this.scroller, this.news);
    new ResizeObserver(() => this.atEnd && this.#toEnd()).observe(this.scroller);
  }

  render() {
    const { person, channel } = this.store.ui;
    const rows = rowsOf(this.store, person, channel, me(this.store).tz);
    const moved = this.place !== `${person} ${channel}`;
    const follow = moved || this.atEnd;
    keepingFocus(this.list, () => this.#paint(rows));
    this.list.dataset.empty = rows.length === 0;
    this.place = `${person} ${channel}`;
    this.#afterwards(rows, { moved, follow });
  }

  #paint(rows) {
    const { ui } = this.store;
    reconcile(this.list, rows.length ? rows : [{ kind: "empty", key: "empty" }], {
      key: (row) => `${ui.person} ${ui.channel} ${row.key}`,
      signature: (row) => JSON.stringify([row, this.#editing(row), ui.thread === row.root]),
      build: (row) => this[row.kind](row),
    });
  }

  #editing(row) {
    return row.kind === "message" && !row.ephemeral && this.store.ui.editing === row.message.ts;
  }

  #afterwards(rows, { moved, follow }) {
    const others = rows.filter((row) => row.kind === "message" && row.message.user !== this.store.ui.person);
    const fresh = others.filter((row) => !this.known.has(row.key));
    const changed = others.at(-1);
    const anew = changed && this.known.has(changed.key) && this.known.get(changed.key) !== gist(changed.message);
    this.known = new Map(rows.map((row) => [row.key, row.message && gist(row.message)]));
    if (follow) this.#toEnd();
    if (moved) return void (this.news.hidden = true);
    this.#tellOf(fresh);
    if (anew && !fresh.length) this.#announce(changed.message);
  }

  // What is shown anew in the place of the newest message is read out as a new one is: a card may ask the next question.
  #announce(message) {
    announce(`${authorName(message, this.store)}: ${gist(message)}`);
  }

  #tellOf(fresh) {
    if (!fresh.length) return;
    this.#announce(fresh.at(-1).message);
    const item = this.#itemOf(fresh[0].key);
    if (item && !this.#inView(item)) ((this.target = item), (this.news.hidden = false));
  }

  #itemOf(key) {
    return [...this.list.children].find((node) => node.dataset.key.endsWith(key));
  }

  #inView(item) {
    const [box, frame] = [item.getBoundingClientRect(), this.scroller.getBoundingClientRect()];
    return box.bottom > frame.top && box.top < frame.bottom;
  }

  #toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.atEnd = true;
  }

  #scrolled() {
    this.atEnd = this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < NEAR;
    if (!this.news.hidden && this.target?.isConnected && this.#inView(this.target)) this.news.hidden = true;
  }

  #showNews() {
    this.target?.scrollIntoView({ block: "center" });
    this.target?.focus({ preventScroll: true });
    this.news.hidden = true;
  }

  day(row) {
    return h("li", { class: "row day" }, h("span", {}, row.label));
  }

  message(row) {
    const { ui } = this.store;
    const onEdit = (editing) => this.store.go({ editing });
    const view = {
      store: this.store,
      acts: this.acts,
      channel: ui.channel,
      zone: me(this.store).tz,
      editing: this.#editing(row),
      onReply: this.onReply,
      onEdit,
    };
    return messageItem(row, view);
  }

  foot(row) {
    const words = `${row.count} ${row.count === 1 ? "reply" : "replies"}`;
    const button = h(
      "button",
      {
        type: "button",
        class: "link-button",
        "data-focus": "thread",
        "data-thread": row.root,
        onclick: () => this.onReply(row.root),
      },
      icon("reply", { size: 14 }),
      "Reply in thread",
    );
    return h(
      "li",
      { class: "row foot reply", "data-current": this.store.ui.thread === row.root },
      h("span", { class: "quiet" }, words),
      button,
    );
  }

  status(row) {
    return new Status(this.store.world.bot.name, row).element;
  }

  empty() {
    const name = nameOf(this.store, this.store.world.bot.user_id);
    const words = isDm(this.store)
      ? `This is the very beginning of your messages with ${name}. Say what you need.`
      : "Nothing has been said here yet.";
    const face = avatar(isDm(this.store) ? name : "#", { app: isDm(this.store), size: "avatar-large" });
    return h("li", { class: "row nothing" }, face, h("p", {}, words));
  }
}

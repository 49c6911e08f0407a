// The left rail: the workspace, who one acts as, and the conversations.

import { avatar } from "./avatars.js";
import { fill, h, keepingFocus, reconcile } from "./dom.js";
import { icon } from "./icons.js";
import { conversations, me, titleOf } from "./state.js";

export class Sidebar {
  constructor(root, store, go) {
    Object.assign(this, { root, store, go, query: "" });
    this.team = h("h1", { class: "team" });
    this.people = h("div", { class: "people", role: "radiogroup", "aria-label": "Act as" });
    this.acting = h("p", { class: "acting" });
    this.search = this.#searchBox();
    this.list = h("ul", { class: "channels", "aria-label": "Conversations", onkeydown: (event) => this.#arrow(event) });
    this.foot = h("p", { class: "link-state" });
    fill(root, this.team, h("div", { class: "who" }, this.people, this.acting), this.search, this.list, this.foot);
  }

  render() {
    const { world } = this.store;
    if (this.team.dataset.name !== world.team.name) this.#renderTeam(world.team.name);
    keepingFocus(this.root, () => (this.#renderPeople(), this.#renderList()));
    const { real_name: name, title } = me(this.store);
    fill(this.acting, "Acting as ", h("strong", {}, name), title && h("span", { class: "quiet" }, ` · ${title}`));
    this.foot.dataset.connected = world.connected > 0;
    fill(this.foot, world.connected > 0 ? `${world.bot.name} is connected` : `${world.bot.name} is not connected`);
  }

  #renderTeam(name) {
    const close = h(
      "button",
      {
        type: "button",
        class: "icon-button over-close",
        "aria-label": "Back to the conversation",
        "data-over-close": true,
        onclick: () => this.store.go({ drawer: false }),
      },
      icon("close"),
    );
    this.team.dataset.name = name;
    fill(this.team, icon("mark", { size: 20 }), h("bdi", {}, name), close);
  }

  /** Puts the keyboard into the switcher, as Ctrl+K does. */
  focusSwitcher() {
    const input = this.search.querySelector("input");
    input.focus();
    input.select();
  }

  #searchBox() {
    const oninput = (event) => ((this.query = event.target.value.trim().toLowerCase()), this.#renderList());
    const onkeydown = (event) => this.#searchKey(event);
    const input = h("input", {
      type: "search",
      placeholder: "Jump to…",
      "aria-label": "Jump to a conversation",
      oninput,
      onkeydown,
      "data-focus": "switcher",
      autocomplete: "off",
    });
    return h("label", { class: "switcher" }, icon("search"), input, h("kbd", { "aria-hidden": "true" }, "Ctrl K"));
  }

  #searchKey(event) {
    const first = this.list.querySelector("button");
    if (event.key === "ArrowDown") return (event.preventDefault(), first?.focus());
    if (event.key === "Escape") return this.#clearSearch(event.target);
    if (event.key === "Enter" && first) return (this.#clearSearch(event.target), first.click());
    return undefined;
  }

  #clearSearch(input) {
    input.value = this.query = "";
    this.#renderList();
  }

  #renderPeople() {
    const { world, ui } = this.store;
    reconcile(this.people, world.people, {
      key: (person) => person.id,
      signature: (person) => JSON.stringify([person, person.id === ui.person, this.#waiting(person.id)]),
      build: (person) => this.#person(person, person.id === ui.person),
    });
  }

  #waiting(id) {
    return (
      id !== this.store.ui.person &&
      conversations(this.store, id).some((channel) => this.store.unread(id, channel.id) > 0)
    );
  }

  #person(person, checked) {
    const onchange = () => this.go({ person: person.id });
    const label = person.title ? `${person.real_name}, ${person.title}` : person.real_name;
    const input = h("input", {
      type: "radio",
      name: "person",
      class: "unseen",
      checked,
      onchange,
      "aria-label": label,
      "data-focus": "person",
    });
    const dot = this.#waiting(person.id) && h("span", { class: "dot", title: "Something new" });
    return h(
      "label",
      { class: "person", title: label, "data-person": person.id },
      input,
      avatar(person.real_name, { size: "avatar-large" }),
      dot,
    );
  }

  #renderList() {
    const { ui } = this.store;
    const mine = conversations(this.store, ui.person).filter((channel) =>
      titleOf(this.store, channel).toLowerCase().includes(this.query),
    );
    reconcile(this.list, mine, {
      key: (channel) => channel.id,
      signature: (channel) =>
        JSON.stringify([
          channel.id,
          titleOf(this.store, channel),
          channel.id === ui.channel,
          this.store.unread(ui.person, channel.id),
        ]),
      build: (channel) => this.#row(channel),
    });
  }

  #row(channel) {
    const { ui, world } = this.store;
    const title = titleOf(this.store, channel);
    const unread = this.store.unread(ui.person, channel.id);
    const isApp = channel.kind === "dm" && channel.members.includes(world.bot.user_id);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `channel ${unread ? "unread" : ""}`,
          "data-channel": channel.id,
          "data-focus": "channel",
          "aria-current": channel.id === ui.channel ? "page" : null,
          "aria-label": unread ? `${title}, ${unread} unread` : title,
          onclick: () => this.go({ channel: channel.id }),
        },
        channel.kind === "channel" ? icon("hash") : avatar(title, { app: isApp, size: "avatar-small" }),
        h("bdi", {}, title),
        unread > 0 && h("span", { class: "badge" }, unread > 99 ? "99+" : String(unread)),
      ),
    );
  }

  #arrow(event) {
    const buttons = [...this.list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && at === 0) this.focusSwitcher();
    else buttons[Math.min(steps[event.key], buttons.length - 1)].focus();
  }
}

// The middle of the page: the conversation's head with its tabs, its messages or the app's home, and the composer.

import { avatar } from "./avatars.js";
import { Composer } from "./composer.js";
import { fill, h, keepingFocus } from "./dom.js";
import { Forms } from "./forms.js";
import { Home } from "./home.js";
import { icon } from "./icons.js";
import { MessageList } from "./message_list.js";
import { channelOf, isDm, newsElsewhere, titleOf } from "./state.js";

export class Conversation {
  constructor(root, store, acts, go) {
    Object.assign(this, { root, store, go });
    this.head = h("header", { class: "conversation-head" });
    this.messages = new MessageList(store, acts, (thread) => this.#reply(thread));
    this.home = new Home(store, acts);
    this.forms = new Forms(store, acts);
    this.composer = new Composer(store, acts);
    fill(root, this.head, this.messages.element, this.composer.element, this.home.element, this.forms.element);
  }

  render() {
    const channel = channelOf(this.store, this.store.ui.channel);
    const tab = isDm(this.store) ? this.store.ui.tab : "messages";
    this.root.setAttribute("aria-label", `Conversation with ${titleOf(this.store, channel)}`);
    keepingFocus(this.head, () => this.#renderHead(channel, tab));
    this.messages.element.hidden = this.composer.element.hidden = tab !== "messages";
    for (const name of ["home", "forms"]) this[name].element.hidden = tab !== name;
    if (tab !== "messages") this[tab].render();
    else (this.messages.render(), this.composer.render());
  }

  #reply(thread) {
    this.store.go({ thread });
    this.composer.focus();
  }

  #renderHead(channel, tab) {
    const title = titleOf(this.store, channel);
    const { panel, drawer } = this.store.ui;
    const drawn = JSON.stringify([channel.id, title, tab, channel.members, panel, drawer, newsElsewhere(this.store)]);
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const face = channel.kind === "dm" ? avatar(title, { app: true }) : icon("hash", { size: 20 });
    const about =
      channel.kind === "dm"
        ? h("span", { class: "app-badge" }, "APP")
        : h("span", { class: "quiet" }, `${channel.members.length} members`);
    fill(
      this.head,
      this.#drawerButton(),
      face,
      h("h2", {}, h("bdi", {}, title)),
      about,
      channel.kind === "dm" && this.#tabs(tab),
      this.#panelButton(),
    );
  }

  #tabs(current) {
    const tab = (name, label, selected = name === current) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-selected": String(selected),
          "aria-controls": `${name}-pane`,
          "data-focus": name,
          "data-tab": name,
          tabindex: selected ? 0 : -1,
          onclick: () => this.go({ tab: name }),
        },
        label,
      );
    const onkeydown = (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const tabs = [...event.currentTarget.children];
      const at = tabs.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : tabs.length - 1);
      tabs[at % tabs.length].focus();
      tabs[at % tabs.length].click();
    };
    return h(
      "div",
      { class: "tabs", role: "tablist", "aria-label": "Messages, home or forms", onkeydown },
      tab("messages", "Messages"),
      tab("home", "Home"),
      this.store.world.forms && tab("forms", "Forms"),
    );
  }

  /** On a phone the rail is behind this button; a dot tells of something new in it. */
  #drawerButton() {
    const { drawer } = this.store.ui;
    const news = newsElsewhere(this.store);
    return h(
      "button",
      {
        type: "button",
        class: "icon-button drawer-button",
        "aria-label": news ? "Show the conversations, something is new" : "Show the conversations",
        "aria-expanded": String(drawer),
        "aria-controls": "sidebar",
        "data-focus": "drawer",
        onclick: () => this.store.go({ drawer: true, panel: false }),
      },
      icon("menu", { size: 18 }),
      news && h("span", { class: "dot" }),
    );
  }

  #panelButton() {
    const { panel } = this.store.ui;
    const label = panel ? "Hide the draft" : "Show the draft";
    const onclick = () => this.store.go({ panel: !panel, drawer: false });
    return h(
      "button",
      {
        type: "button",
        class: "icon-button panel-button",
        "aria-label": label,
        title: label,
        "aria-expanded": String(panel),
        "aria-controls": "inspector",
        "data-focus": "panel",
        onclick,
      },
      icon("panel", { size: 18 }),
    );
  }
}

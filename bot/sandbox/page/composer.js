// Where a person writes: Enter sends, Shift+Enter breaks the line, "/" and "@" offer what can follow, files can be attached.

import { fill, h, reconcile } from "./dom.js";
import { Hints } from "./hints.js";
import { icon } from "./icons.js";
import { authorName, gist } from "./message.js";
import { channelOf, isDm, titleOf } from "./state.js";

const TALLEST = 220;

export class Composer {
  constructor(store, acts) {
    Object.assign(this, { store, acts, drafts: new Map(), files: [], place: null });
    this.text = h("textarea", {
      id: "composer-text",
      rows: 1,
      dir: "auto",
      "aria-describedby": "composer-help",
      autocomplete: "off",
      oninput: () => this.#changed(),
      onkeydown: (event) => this.#key(event),
    });
    this.hints = new Hints(this.text, store, () => this.#changed());
    this.prompts = h("div", { class: "prompts", role: "group", hidden: true });
    this.answering = h("div", { class: "answering", hidden: true });
    this.attached = h("ul", { class: "attached", hidden: true });
    this.element = h(
      "form",
      { class: "composer", onsubmit: (event) => (event.preventDefault(), this.#send()) },
      this.prompts,
      this.#box(),
      this.#help(),
    );
  }

  focus() {
    this.text.focus();
  }

  render() {
    const place = `${this.store.ui.person} ${this.store.ui.channel} ${this.store.ui.thread ?? ""}`;
    if (place !== this.place) this.#move(place);
    const channel = channelOf(this.store, this.store.ui.channel);
    const name = isDm(this.store) ? titleOf(this.store, channel) : `#${channel.name}`;
    this.text.placeholder = this.store.ui.thread ? "Reply in thread" : `Message ${name}`;
    this.text.setAttribute("aria-label", this.text.placeholder);
    this.#renderPrompts();
    this.#renderAnswering();
  }

  #box() {
    this.picker = h("input", {
      type: "file",
      multiple: true,
      class: "unseen",
      tabindex: -1,
      "aria-hidden": "true",
      onchange: () => this.#attach(),
    });
    this.sender = h(
      "button",
      { type: "submit", class: "send", "aria-label": "Send", title: "Send (Enter)" },
      icon("send"),
    );
    const attach = h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": "Attach a file",
        title: "Attach a file",
        onclick: () => this.picker.click(),
      },
      icon("attach", { size: 18 }),
    );
    return h(
      "div",
      { class: "composer-box" },
      this.answering,
      this.attached,
      h("div", { class: "composer-line" }, attach, this.picker, this.text, this.sender),
      this.hints.element,
    );
  }

  #help() {
    const key = (name, what) => h("span", {}, h("kbd", {}, name), ` ${what}`);
    return h(
      "p",
      { class: "composer-help", id: "composer-help" },
      key("Enter", "sends"),
      key("Shift Enter", "new line"),
      key("/", "commands"),
      key("Ctrl K", "jump"),
    );
  }

  #move(place) {
    if (this.place !== null) this.drafts.set(this.place, this.text.value);
    this.place = place;
    this.text.value = this.drafts.get(place) ?? "";
    this.#changed();
    this.hints.close();
  }

  #changed() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, TALLEST)}px`;
    this.sender.disabled = !this.text.value.trim() && !this.files.length;
    this.hints.look();
  }

  #key(event) {
    if (event.isComposing || this.hints.key(event)) return;
    if (event.key === "Escape" && this.store.ui.thread) this.store.go({ thread: null });
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    this.#send();
  }

  async #send() {
    const text = this.text.value.trim();
    const files = this.files.splice(0);
    if (!text && !files.length) return;
    this.text.value = "";
    this.#renderAttached();
    if (files.length) await this.#share(files, text);
    else await this.#say(text);
    this.#renderAttached();
  }

  /** Files go with their words; what is refused comes back. */
  async #share(files, text) {
    if (await this.acts.share(files, text && this.#addressed(text))) return;
    this.files.push(...files);
    this.text.value ||= text;
  }

  /** Says words and takes the suggestions away; refused words come back into the box. */
  async #say(text) {
    const offer = this.#currentPrompts();
    const said = await this.acts.say(this.#addressed(text));
    if (said && offer) this.store.dismiss(offer.key);
    if (!said && !this.text.value) this.text.value = text;
  }

  /** The text with "@Name" turned into the reference that Slack would send. */
  #addressed(text) {
    const { world } = this.store;
    const everyone = [
      { id: world.bot.user_id, name: world.bot.name },
      ...world.people.map((one) => ({ id: one.id, name: one.real_name })),
    ];
    return everyone.reduce((words, { id, name }) => words.replaceAll(`@${name}`, `<@${id}>`), text);
  }

  #attach() {
    this.files.push(...this.picker.files);
    this.picker.value = "";
    this.#renderAttached();
    this.focus();
  }

  #renderAttached() {
    const drop = (file) => (this.files.splice(this.files.indexOf(file), 1), this.#renderAttached(), this.focus());
    fill(
      this.attached,
      this.files.map((file) =>
        h(
          "li",
          { class: "chip" },
          icon("file", { size: 14 }),
          h("bdi", {}, file.name),
          h(
            "button",
            { type: "button", "aria-label": `Remove ${file.name}`, onclick: () => drop(file) },
            icon("close", { size: 11 }),
          ),
        ),
      ),
    );
    this.attached.hidden = !this.files.length;
    this.#changed();
  }

  #renderAnswering() {
    const { thread, channel } = this.store.ui;
    const root = thread && this.store.world.messages[channel]?.find((message) => message.ts === thread);
    this.answering.hidden = !thread;
    const stop = h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": "Stop replying in this thread",
        onclick: () => (this.store.go({ thread: null }), this.focus()),
      },
      icon("close", { size: 14 }),
    );
    const words = root ? `${authorName(root, this.store)}: ${gist(root)}` : "a thread";
    fill(this.answering, icon("reply", { size: 14 }), h("span", { dir: "auto" }, "Replying to ", words), stop);
  }

  #renderPrompts() {
    const found = this.#currentPrompts();
    this.prompts.hidden = !found;
    if (!found) return;
    this.prompts.setAttribute("aria-label", found.title || "Suggestions");
    reconcile(this.prompts, found.prompts, {
      key: (prompt) => prompt.title,
      signature: (prompt) => JSON.stringify([this.place, prompt]),
      build: (prompt) =>
        h(
          "button",
          {
            type: "button",
            class: "prompt",
            "data-prompt": prompt.title,
            onclick: () => this.#suggested(prompt),
          },
          prompt.title,
        ),
    });
  }

  // Suggestions go once one was taken or something was said, until the app offers others.
  #currentPrompts() {
    const { channel, thread, person } = this.store.ui;
    const keys = [
      `${channel}|${thread ?? ""}`,
      ...Object.keys(this.store.world.prompts ?? {}).filter((key) => key.startsWith(`${channel}|`)),
    ];
    const name = keys.find((key) => this.store.world.prompts?.[key]?.prompts?.length);
    if (!name) return null;
    const offer = this.store.world.prompts[name];
    const key = `prompts ${person} ${name} ${JSON.stringify(offer)}`;
    return this.store.dismissed.has(key) ? null : { ...offer, key };
  }

  async #suggested(prompt) {
    await this.#say(prompt.message);
    this.focus();
  }
}

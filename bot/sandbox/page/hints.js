// What can follow "/" and "@" in the composer: a list above it, driven by the arrow keys.

import { dress, fill, h, uid } from "./dom.js";

const COMMAND = /^\/([^\s/]*)$/;
const MENTION = /(?:^|\s)@([^\s@]*)$/;

export class Hints {
  constructor(text, store, onTaken) {
    Object.assign(this, { text, store, onTaken, options: [], active: 0, refused: null });
    this.element = h("ul", {
      class: "hints",
      role: "listbox",
      id: uid("hints"),
      "aria-label": "Suggestions",
      hidden: true,
    });
    dress(text, { "aria-autocomplete": "list", "aria-controls": this.element.id });
    text.addEventListener("blur", () => this.close());
  }

  close() {
    this.options = [];
    this.#paint();
  }

  /** Looks at what stands before the caret and offers what could follow. */
  look() {
    const before = this.text.value.slice(0, this.text.selectionStart);
    if (before !== this.refused) this.refused = null;
    this.options = this.refused === null && document.activeElement === this.text ? this.#offers(before) : [];
    this.active = 0;
    this.#paint();
  }

  /** Takes the key if the list is open and the key is for it. */
  key(event) {
    if (!this.options.length) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) this.active = (this.active + steps[event.key] + this.options.length) % this.options.length;
    else if (event.key === "Escape")
      ((this.refused = this.text.value.slice(0, this.text.selectionStart)), (this.options = []));
    else if (event.key === "Tab" || event.key === "Enter") return this.#enter(event);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    this.#paint();
    return true;
  }

  // A command that is already whole is sent by Enter, not completed.
  #enter(event) {
    const option = this.options[this.active];
    if (event.key === "Enter" && this.text.value === option.insert.trim()) return false;
    event.preventDefault();
    this.#take(option);
    return true;
  }

  #offers(before) {
    const command = COMMAND.exec(before);
    if (command) return this.#commands(command[1]);
    const mention = MENTION.exec(before);
    return mention ? this.#names(mention[1]) : [];
  }

  #commands(typed) {
    const known = this.store.world.commands ?? [];
    return known
      .filter((name) => name.slice(1).startsWith(typed))
      .map((name) => ({ label: name, from: 0, insert: `${name} ` }));
  }

  #names(typed) {
    const { world } = this.store;
    const names = [world.bot.name, ...world.people.map((person) => person.real_name)];
    const from = this.text.selectionStart - typed.length - 1;
    return names
      .filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
      .map((name) => ({ label: `@${name}`, from, insert: `@${name} ` }));
  }

  #take({ from, insert }) {
    const { value, selectionStart: caret } = this.text;
    this.text.value = value.slice(0, from) + insert + value.slice(caret);
    this.text.setSelectionRange(from + insert.length, from + insert.length);
    this.onTaken();
  }

  #paint() {
    const rows = this.options.map((option, at) => this.#row(option, at === this.active));
    fill(this.element, rows);
    this.element.hidden = !rows.length;
    if (rows.length) this.text.setAttribute("aria-activedescendant", rows[this.active].id);
    else this.text.removeAttribute("aria-activedescendant");
  }

  #row(option, active) {
    const onpointerdown = (event) => (event.preventDefault(), this.#take(option));
    return h(
      "li",
      { role: "option", id: uid("hint"), "aria-selected": String(active), "data-hint": option.label, onpointerdown },
      option.label,
    );
  }
}

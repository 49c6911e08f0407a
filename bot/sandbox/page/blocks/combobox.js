// A typeahead: an input that opens a list of options, driven by mouse or keys (the ARIA combobox pattern).

import { fill, h, uid } from "../dom.js";
import { icon } from "../icons.js";
import { openPopup } from "../popup.js";

const QUIET = 180;

/**
 * `load(query)` → Promise of groups [{label, options: [{value, label: Node maker, words, description}]}] or a sentence;
 * `onChoose(option)` is called with the option picked. Attributes go onto the input.
 */
export class Combobox {
  constructor({ attributes, placeholder, load, onChoose, onClear }) {
    Object.assign(this, { load, onChoose, options: [], active: -1, popup: null, settled: "", asked: 0 });
    this.list = h("div", { class: "popup listbox", role: "listbox", id: uid("list"), popover: "manual" });
    this.input = h("input", {
      type: "text",
      class: "field",
      role: "combobox",
      autocomplete: "off",
      spellcheck: "false",
      placeholder,
      dir: "auto",
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-controls": this.list.id,
      ...attributes,
    });
    this.clear = onClear ? this.#clearButton(onClear) : null;
    this.element = h("span", { class: "combobox popup-host" }, this.input, this.clear, icon("chevron"), this.list);
    this.#listen();
  }

  /** Shows `text` as what is chosen. */
  settle(text) {
    this.settled = this.input.value = text;
    if (this.clear) this.clear.hidden = text === "";
  }

  #clearButton(onClear) {
    const onclick = () => (this.settle(""), onClear(), this.input.focus());
    return h(
      "button",
      { type: "button", class: "icon-button clear", "aria-label": "Clear the choice", onclick, hidden: true },
      icon("close", { size: 12 }),
    );
  }

  #listen() {
    let timer;
    this.input.addEventListener("click", () => this.#open(""));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#open(this.input.value.trim()), QUIET);
    });
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.input.addEventListener("blur", () => (clearTimeout(timer), this.#leave()));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
  }

  #leave() {
    this.popup?.close();
    this.input.value = this.settled;
  }

  async #open(query) {
    if (!this.input.isConnected) return;
    this.popup ??= openPopup(this.input, this.list, () => this.#closed());
    this.input.setAttribute("aria-expanded", "true");
    const turn = ++this.asked;
    this.#show("Searching…");
    const found = await this.load(query);
    if (turn === this.asked && this.popup) this.#show(found);
  }

  #closed() {
    this.popup = null;
    this.asked += 1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  #show(found) {
    const groups = typeof found === "string" ? [] : found;
    this.options = groups.flatMap((group) => group.options);
    const note = typeof found === "string" ? found : this.options.length ? null : "No matches";
    fill(
      this.list,
      note && h("div", { class: "popup-note" }, note),
      groups.map((group) => this.#group(group)),
    );
    this.#activate(this.options.length ? 0 : -1);
    this.popup?.place();
  }

  #group(group) {
    const rows = group.options.map((option) => this.#row(option));
    if (!group.label) return rows;
    return h(
      "div",
      { role: "group", "aria-label": group.label },
      h("div", { class: "popup-label" }, group.label),
      rows,
    );
  }

  #row(option) {
    const onclick = () => this.#choose(option);
    const description = option.description && h("small", {}, option.description);
    return h(
      "div",
      { role: "option", id: uid("option"), "data-value": option.value, "aria-selected": "false", onclick },
      option.label(),
      description,
    );
  }

  #activate(at) {
    const rows = [...this.list.querySelectorAll("[role=option]")];
    rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
    this.active = at;
    this.input.removeAttribute("aria-activedescendant");
    if (at < 0) return;
    this.input.setAttribute("aria-activedescendant", rows[at].id);
    rows[at].scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp")
      return this.#step(event, event.key === "ArrowDown" ? 1 : -1);
    if (event.key !== "Enter" || event.isComposing) return undefined;
    event.preventDefault();
    if (this.popup && this.active >= 0) this.#choose(this.options[this.active]);
    return undefined;
  }

  #step(event, by) {
    event.preventDefault();
    if (!this.popup) return this.#open("");
    const count = this.options.length;
    return count && this.#activate((this.active + by + count) % count);
  }

  #choose(option) {
    this.popup?.close();
    this.onChoose(option);
  }
}

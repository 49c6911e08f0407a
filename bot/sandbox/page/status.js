// The line that says what the app is doing, with moving dots; loading messages take turns.

import { h } from "./dom.js";

const TURN = 2500;

export class Status {
  constructor(name, { status, messages, reply }) {
    this.lines = messages.length ? messages : [status.startsWith("is ") ? `${name} ${status}` : status];
    this.words = h("span", {}, calm(this.lines[0]));
    this.element = h(
      "li",
      { class: `row status ${reply ? "reply" : ""}`, role: "status", "data-role": "status" },
      h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
      this.words,
    );
    if (this.lines.length > 1) this.#turn(0);
  }

  #turn(at) {
    setTimeout(() => {
      if (!this.element.isConnected) return;
      const next = (at + 1) % this.lines.length;
      this.words.textContent = calm(this.lines[next]);
      this.#turn(next);
    }, TURN);
  }
}

/** The words without their own dots: the page draws moving ones. */
const calm = (text) => text.replace(/[.…\s]+$/, "");

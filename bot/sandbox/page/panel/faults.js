// Faults that the sandbox can be told to play: what a real Slack does on its bad days.

import { h } from "../dom.js";

const METHODS = [
  "chat.postMessage", "chat.update", "chat.postEphemeral", "chat.startStream", "chat.appendStream", "chat.stopStream", "views.open", "views.update",
  "views.publish", "assistant.threads.setStatus", "conversations.open", "conversations.history", "conversations.replies",
];
const REASONS = ["warning", "refresh_requested", "link_disabled", "too_many_websockets"];
const CLEAR = {
  rate_limit: {}, fail: {}, timeout_after_delivery: {}, disconnect_after_delivery: {}, delay: {}, redeliver: 0, drop_acks: 0, duplicate_clicks: 0,
};

const PER_METHOD = [
  { knob: "rate_limit", label: "Rate limit", input: { type: "number", value: "1", min: 1 }, unit: "next calls", read: Number },
  { knob: "fail", label: "Fail with", input: { type: "text", value: "internal_error" }, unit: "status or error", read: (text) => [/^\d+$/.test(text) ? Number(text) : text] },
  { knob: "timeout_after_delivery", label: "No answer after delivery", input: { type: "number", value: "1", min: 1 }, unit: "next calls", read: Number },
  { knob: "disconnect_after_delivery", label: "Cut the line after delivery", input: { type: "number", value: "1", min: 1 }, unit: "next calls", read: Number },
  { knob: "delay", label: "Delay", input: { type: "number", value: "2", min: 0, step: "any" }, unit: "seconds", read: Number },
];
const COUNTS = [
  { knob: "redeliver", label: "Deliver every event again", unit: "extra times" },
  { knob: "drop_acks", label: "Lose the next acknowledgements", unit: "acks" },
  { knob: "duplicate_clicks", label: "Send every click again", unit: "extra times" },
];

export class Faults {
  constructor(store, acts) {
    Object.assign(this, { store, acts, version: 0 });
  }

  element() {
    const knobs = this.store.world.knobs ?? {};
    return h("div", { class: "faults" },
      h("p", { class: "quiet" }, "Each fault is what Slack may do on a bad day. The draft must stay right."),
      PER_METHOD.map((fault) => this.#perMethod(fault, knobs[fault.knob])),
      COUNTS.map((fault) => this.#count(fault, knobs[fault.knob])),
      this.#disconnect(),
      h("button", { type: "button", class: "button button-small", "data-knob": "clear", "data-focus": "clear", onclick: () => this.#set(CLEAR) }, "Clear all faults"));
  }

  async #set(knobs) {
    await this.acts.knobs(knobs);
  }

  #perMethod(fault, current = {}) {
    const method = select(METHODS, "Method");
    const amount = h("input", { class: "field", "aria-label": fault.unit, title: fault.unit, ...fault.input });
    const apply = () => this.#set({ [fault.knob]: { ...current, [method.value]: fault.read(amount.value) } });
    const active = Object.entries(current ?? {}).filter(([, value]) => (Array.isArray(value) ? value.length : value)).map(([name, value]) => `${name}: ${value}`);
    return row(fault, [method, amount], apply, active.join(", "));
  }

  #count(fault, current = 0) {
    const amount = h("input", { class: "field", type: "number", min: 0, value: String(current || 1), "aria-label": fault.unit, title: fault.unit });
    return row(fault, [amount, h("span", { class: "quiet" }, fault.unit)], () => this.#set({ [fault.knob]: Number(amount.value) }), current ? String(current) : "");
  }

  #disconnect() {
    const reason = select(REASONS, "Reason");
    return row({ knob: "disconnect", label: "Disconnect the socket" }, [reason], () => this.#set({ disconnect: reason.value }), "");
  }
}

const select = (names, label) => h("select", { class: "field", "aria-label": label }, names.map((name) => h("option", { value: name }, name)));

function row({ knob, label }, controls, apply, active) {
  const button = h("button", { type: "button", class: "button button-small", "data-knob": knob, "data-focus": knob, onclick: apply }, "Apply");
  return h("fieldset", { class: "fault", "data-fault": knob },
    h("legend", {}, label, active && h("span", { class: "pill pill-warn", "data-role": "active" }, active)), controls, button);
}

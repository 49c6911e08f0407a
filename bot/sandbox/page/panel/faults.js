// Faults that the sandbox can be told to play: what a real Slack does on its bad days.

import { h } from "../dom.js";

const METHODS = [
  "chat.postMessage",
  "chat.update",
  "chat.postEphemeral",
  "views.open",
  "views.update",
  "views.publish",
  "assistant.threads.setStatus",
  "conversations.open",
  "conversations.history",
  "conversations.replies",
  "response_url",
];
const REASONS = ["warning", "refresh_requested", "link_disabled", "too_many_websockets"];
const CLEAR = {
  rate_limit: {},
  fail: {},
  timeout_after_delivery: {},
  disconnect_after_delivery: {},
  delay: {},
  redeliver: 0,
  drop_acks: 0,
  duplicate_clicks: 0,
  tiers: 1,
};

const PER_METHOD = [
  {
    knob: "rate_limit",
    label: "Rate limit",
    input: { type: "number", value: "1", min: 1 },
    unit: "next calls",
    read: Number,
  },
  {
    knob: "fail",
    label: "Fail with",
    input: { type: "text", value: "internal_error" },
    unit: "status or error",
    read: (text) => [/^\d+$/.test(text) ? Number(text) : text],
  },
  {
    knob: "timeout_after_delivery",
    label: "No answer after delivery",
    input: { type: "number", value: "1", min: 1 },
    unit: "next calls",
    read: Number,
  },
  {
    knob: "disconnect_after_delivery",
    label: "Cut the line after delivery",
    input: { type: "number", value: "1", min: 1 },
    unit: "next calls",
    read: Number,
  },
  {
    knob: "delay",
    label: "Delay",
    input: { type: "number", value: "2", min: 0, step: "any" },
    unit: "seconds",
    read: Number,
  },
];
const COUNTS = [
  { knob: "redeliver", label: "Deliver every event again", unit: "extra times" },
  { knob: "drop_acks", label: "Lose the next acknowledgements", unit: "acks" },
  { knob: "duplicate_clicks", label: "Send every click again", unit: "extra times" },
  { knob: "tiers", label: "Rate limits: 1 as at Slack, 0 none", unit: "times as fast" },
];

/** The controls; they are built once, so that what was chosen in them stays. */
export class Faults {
  constructor(store, acts) {
    Object.assign(this, { store, acts, pills: new Map() });
    const words = "Each fault is what Slack may do on a bad day.";
    this.root = h(
      "div",
      { class: "faults" },
      h("p", { class: "quiet" }, words),
      PER_METHOD.map((fault) => this.#perMethod(fault)),
      COUNTS.map((fault) => this.#count(fault)),
      this.#disconnect(),
      apply("clear", "Clear all faults", () => acts.knobs(CLEAR)),
    );
  }

  /** The controls, with the faults that are set now. */
  element() {
    const knobs = this.store.world.knobs ?? {};
    for (const [knob, pill] of this.pills) {
      pill.textContent = active(knobs[knob]);
      pill.hidden = !pill.textContent;
    }
    return this.root;
  }

  #perMethod(fault) {
    const method = select(METHODS, "Method");
    const amount = field(fault.unit, fault.input);
    const set = () => {
      const before = this.store.world.knobs?.[fault.knob];
      return this.acts.knobs({ [fault.knob]: { ...before, [method.value]: fault.read(amount.value) } });
    };
    return this.#row(fault, [method, amount], set);
  }

  #count(fault) {
    const amount = field(fault.unit, { type: "number", min: 0, value: "1" });
    return this.#row(fault, [amount], () => this.acts.knobs({ [fault.knob]: Number(amount.value) }));
  }

  #disconnect() {
    const reason = select(REASONS, "Reason");
    const fault = { knob: "disconnect", label: "Disconnect the socket", unit: "Slack’s reason" };
    return this.#row(fault, [reason], () => this.acts.knobs({ disconnect: reason.value }));
  }

  #row({ knob, label, unit }, controls, set) {
    const pill = h("span", { class: "pill pill-warn", "data-role": "active", hidden: true });
    this.pills.set(knob, pill);
    const legend = h("legend", {}, label, h("span", { class: "quiet" }, unit), pill);
    return h("fieldset", { class: "fault", "data-fault": knob }, legend, controls, apply(knob, "Apply", set));
  }
}

/** What is set, in words; "" for nothing. */
function active(setting) {
  if (typeof setting !== "object" || setting === null) return setting ? String(setting) : "";
  const some = Object.entries(setting).filter(([, value]) => (Array.isArray(value) ? value.length : value));
  return some.map(([name, value]) => `${name}: ${value}`).join(", ");
}

const apply = (knob, label, onclick) =>
  h("button", { type: "button", class: "button button-small", "data-knob": knob, "data-focus": knob, onclick }, label);

const field = (unit, attributes) => h("input", { class: "field", "aria-label": unit, ...attributes });

function select(names, label) {
  const options = names.map((name) => h("option", { value: name }, name));
  return h("select", { class: "field", "aria-label": label }, options);
}

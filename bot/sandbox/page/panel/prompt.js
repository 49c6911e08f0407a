// The exact request of the last model call, and what came back.

import { h } from "../dom.js";
import { isoClock } from "../times.js";

export function prompt(call) {
  if (!call) return h("p", { class: "nothing" }, "No model was called in this conversation yet.");
  return h(
    "div",
    { class: "prompt-call" },
    h(
      "p",
      { class: "prompt-facts" },
      h("span", {}, isoClock(call.at)),
      h("span", { "data-role": "tokens" }, counts(call.tokens)),
    ),
    part("system", call.system),
    call.messages.map((message) => part(message.role, message.text)),
    part("reply", call.reply, "what came back"),
  );
}

const counts = (tokens) =>
  tokens
    ? `${tokens.input.toLocaleString("en-GB")} tokens in · ${tokens.output.toLocaleString("en-GB")} out`
    : "tokens not counted";

const part = (role, text, label = role) =>
  h(
    "section",
    { class: `prompt-part role-${role}`, "data-prompt-role": role },
    h("h3", {}, label),
    h("pre", { dir: "auto" }, text),
  );

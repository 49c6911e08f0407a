// Text objects of Block Kit as elements.

import { fragment, h } from "../dom.js";
import { long } from "../text/long.js";
import { mrkdwn, plain } from "../text/mrkdwn.js";

/** A text object as a node: mrkdwn is formatted, plain text only gets its emoji. Long ones open on demand. */
export function text(object, surface, key = "") {
  if (!object) return null;
  return long(object.text ?? "", (part) => painted(object, part, surface), surface.opened, `${surface.key} ${key}`);
}

function painted(object, part, surface) {
  if (object.type === "mrkdwn") return mrkdwn(part, surface.names);
  return h("span", { class: "run", dir: "auto" }, plain(part));
}

/** The words of a text object, for labels that are attributes. */
export const words = (object) => (typeof object === "string" ? object : (object?.text ?? ""));

/** A short text in one line, for buttons and options. */
export function line(object, surface) {
  return object?.type === "mrkdwn" ? fragment(mrkdwn(object.text, surface.names)) : plain(words(object));
}

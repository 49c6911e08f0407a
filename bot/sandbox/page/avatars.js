// Faces drawn from initials: a person is a disc in a colour of their own, the app a rounded square with its mark.

import { h } from "./dom.js";
import { icon } from "./icons.js";

const HUES = 6;

export function avatar(name, { app = false, size = "" } = {}) {
  const kind = app ? "avatar-app" : `avatar-${hash(name) % HUES}`;
  return h(
    "span",
    { class: `avatar ${kind} ${size}`, "aria-hidden": "true" },
    app ? icon("mark", { size: 20 }) : initials(name),
  );
}

export function initials(name) {
  const letters = name
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? "");
  return (letters.length > 1 ? letters[0] + letters.at(-1) : letters[0]).toUpperCase();
}

const hash = (name) => [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 7);

// Quiet sentences at the foot of the page, and words for screen readers.

import { h } from "./dom.js";
import { icon } from "./icons.js";

const STAY = 7000;

/** Shows a sentence for a while; the same sentence is not stacked. */
export function tell(sentence) {
  const shelf = document.getElementById("toasts");
  for (const old of shelf.children) if (old.dataset.sentence === sentence) old.remove();
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Dismiss", onclick: () => toast.remove() },
    icon("close", { size: 14 }),
  );
  const toast = h("div", { class: "toast", "data-sentence": sentence }, h("span", {}, sentence), close);
  shelf.append(toast);
  raise(shelf);
  setTimeout(() => toast.remove(), STAY);
}

/** Brings the toasts above a dialog that opened after them. */
function raise(shelf) {
  if (shelf.matches(":popover-open")) shelf.hidePopover();
  shelf.showPopover();
}

/** Has a screen reader say something that is already visible elsewhere. */
export function announce(sentence) {
  document.getElementById("announcer").textContent = sentence;
}

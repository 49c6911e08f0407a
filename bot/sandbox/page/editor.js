// Editing one's own message in its place.

import { h } from "./dom.js";

export function editor(message, view) {
  const box = h("textarea", {
    class: "field",
    rows: 3,
    value: plainText(message.text),
    "aria-label": "Edit your message",
    dir: "auto",
    "data-focus": "editor",
  });
  const stop = () => view.onEdit(null);
  const save = async () => {
    const text = box.value.trim();
    if (text && (await view.acts.edit(message.ts, text))) stop();
  };
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stop();
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) (event.preventDefault(), save());
  });
  queueMicrotask(() => box.focus());
  return h(
    "div",
    { class: "editor" },
    box,
    h(
      "div",
      { class: "editor-foot" },
      h("button", { type: "button", class: "button button-small", onclick: stop }, "Cancel"),
      h("button", { type: "button", class: "button button-primary button-small", onclick: save }, "Save"),
    ),
  );
}

const plainText = (text) => (text ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

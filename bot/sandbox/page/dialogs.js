// Modal dialogs: the browser's own, with the focus kept inside, and the small question "are you sure?".

import { h, uid } from "./dom.js";
import { mrkdwn, plain } from "./text/mrkdwn.js";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), [tabindex='0']";

/** A dialog element, already open and modal. `onCancel` is called on Escape. */
export function openDialog(attributes, onCancel) {
  const dialog = h("dialog", attributes);
  dialog.addEventListener("cancel", (event) => (event.preventDefault(), onCancel()));
  dialog.addEventListener("keydown", (event) => event.key === "Tab" && wrap(event, dialog));
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function closeDialog(dialog) {
  dialog.close();
  dialog.remove();
}

/** Keeps Tab inside: after the last control comes the first. */
function wrap(event, dialog) {
  const controls = [...dialog.querySelectorAll(FOCUSABLE)].filter(
    (node) => node.tabIndex >= 0 && node.getClientRects().length,
  );
  const [edge, other] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]];
  if (!controls.length || (document.activeElement !== edge && document.activeElement !== dialog)) return;
  event.preventDefault();
  other.focus();
}

const shown = (object, surface) =>
  object?.type === "mrkdwn" ? mrkdwn(object.text, surface.names) : plain(object?.text ?? "");

/** Shows an app's confirmation dialog; true when the person agrees. */
export function confirmed(confirm, surface) {
  return new Promise((resolve) => {
    const title = uid("title");
    const answer = (yes) => () => (closeDialog(dialog), resolve(yes));
    const dialog = openDialog(
      { class: "dialog dialog-confirm", role: "alertdialog", "aria-labelledby": title },
      answer(false),
    );
    const style = confirm.style === "danger" ? "button-danger" : "button-primary";
    const yes = h(
      "button",
      { type: "button", class: `button ${style}`, "data-role": "confirm", onclick: answer(true) },
      shown(confirm.confirm, surface),
    );
    const no = h(
      "button",
      { type: "button", class: "button", "data-role": "deny", onclick: answer(false) },
      shown(confirm.deny, surface),
    );
    dialog.append(
      h("h2", { id: title }, shown(confirm.title, surface)),
      h("div", { class: "dialog-body" }, shown(confirm.text, surface)),
      h("div", { class: "dialog-foot" }, no, yes),
    );
    no.focus();
  });
}

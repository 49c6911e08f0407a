// The modal on top of the page: the uppermost view of the person's stack, filled in, checked, sent or closed.

import { renderBlocks } from "./blocks/index.js";
import { words } from "./blocks/text.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { fill, h, keepingFocus, uid } from "./dom.js";
import { icon } from "./icons.js";
import { complaints } from "./modal_checks.js";
import { topModal } from "./state.js";
import { viewSurface } from "./surfaces.js";
import { plain } from "./text/mrkdwn.js";

export class Modal {
  constructor(store, acts, refresh) {
    Object.assign(this, { store, acts, refresh, dialog: null, drawn: null, errors: {}, trouble: null, busy: false });
  }

  render() {
    const view = topModal(this.store);
    if (!view) return this.#gone();
    if (this.viewId !== view.id) this.#forget(view.id);
    this.dialog ??= openDialog({ class: "dialog modal", "aria-labelledby": (this.titleId = uid("title")) }, () =>
      this.#close(),
    );
    const drawn = JSON.stringify([view, this.errors, this.trouble, this.#depth()]);
    if (drawn === this.drawn) return undefined;
    const opened = this.drawn === null;
    this.drawn = drawn;
    return this.#draw(view, opened);
  }

  #draw(view, opened) {
    keepingFocus(this.dialog, () => this.#paint(view));
    if (Object.keys(this.errors).length) return this.#firstInvalid();
    if (opened) this.#firstControl().focus();
    return undefined;
  }

  #firstControl() {
    const find = (selector) => this.dialog.querySelector(selector);
    return (
      find("[data-focus-on-load]") ?? find(".modal-body :is(input, textarea, button)") ?? find("[data-role=cancel]")
    );
  }

  #gone() {
    if (this.dialog) closeDialog(this.dialog);
    this.dialog = null;
    this.#forget(null);
  }

  #forget(viewId) {
    Object.assign(this, { viewId, drawn: null, errors: {}, trouble: null, busy: false });
  }

  #depth() {
    return this.store.world.modals[this.store.ui.person].length;
  }

  #paint(view) {
    const surface = viewSurface(this.store, this.acts, view, this.errors);
    const form = h("form", { class: "modal-form", novalidate: true, "data-view-id": view.id, "data-key": view.id });
    form.addEventListener("submit", (event) => (event.preventDefault(), this.#submit(view, surface)));
    form.append(
      this.#head(view),
      h("div", { class: "modal-body", tabindex: -1 }, this.#trouble(), renderBlocks(view.blocks, surface)),
      this.#foot(view),
    );
    fill(this.dialog, form);
  }

  #head(view) {
    const back = this.#depth() > 1;
    const close = () => this.#close();
    return h(
      "div",
      { class: "modal-head" },
      back &&
        h(
          "button",
          {
            type: "button",
            class: "icon-button",
            "aria-label": "Back",
            "data-role": "back",
            "data-focus": "back",
            onclick: close,
          },
          icon("back"),
        ),
      h("h2", { id: this.titleId }, plain(words(view.title))),
      h(
        "button",
        {
          type: "button",
          class: "icon-button modal-close",
          "aria-label": "Close",
          "data-role": "close",
          "data-focus": "close",
          onclick: close,
        },
        icon("close"),
      ),
    );
  }

  #trouble() {
    return (
      this.trouble &&
      h("div", { class: "alert alert-error", role: "alert" }, icon("warning"), h("div", {}, this.trouble))
    );
  }

  #foot(view) {
    const submit =
      view.submit &&
      h(
        "button",
        { type: "submit", class: "button button-primary", "data-role": "submit", "data-focus": "submit" },
        plain(words(view.submit)),
      );
    const label = words(view.close) || (view.submit ? "Cancel" : "Close");
    const close = h(
      "button",
      { type: "button", class: "button", "data-role": "cancel", "data-focus": "cancel", onclick: () => this.#close() },
      plain(label),
    );
    return h("div", { class: "dialog-foot" }, close, submit);
  }

  #firstInvalid() {
    const first = this.dialog.querySelector("[aria-invalid=true]");
    const control = first?.matches("input, textarea") ? first : first?.querySelector("input");
    control?.focus();
  }

  async #submit(view, surface) {
    if (this.busy) return;
    const wrong = complaints(view.blocks, surface.values);
    if (Object.keys(wrong).length) return this.#complain({ errors: wrong });
    this.#setBusy(true);
    const answer = await this.acts.submit(view.id, surface.values.state(view.blocks));
    this.#setBusy(false);
    if (answer.errors || answer.trouble) return this.#complain(answer);
    this.errors = {};
    this.trouble = null;
    await this.refresh();
  }

  #complain({ errors = {}, trouble = null }) {
    const known = new Set(topModal(this.store)?.blocks.map((block) => block.block_id));
    const homeless = Object.entries(errors).find(([block]) => !known.has(block));
    this.errors = errors;
    this.trouble = trouble ?? homeless?.[1] ?? null;
    this.drawn = "";
    this.render();
  }

  #setBusy(busy) {
    this.busy = busy;
    const button = this.dialog?.querySelector("[data-role=submit]");
    if (busy) button?.setAttribute("aria-busy", "true");
    else button?.removeAttribute("aria-busy");
  }

  async #close() {
    const viewId = this.viewId;
    if (viewId && !this.busy) await this.acts.close(viewId);
    await this.refresh();
  }
}

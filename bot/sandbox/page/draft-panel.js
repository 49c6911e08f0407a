// The draft as it is: its stage and progress, and every field with its value, lock and origin.

import { fill, h, reconcile } from "./dom.js";
import { icon } from "./icons.js";
import { ledger } from "./panel/ledger.js";
import { nameOf } from "./state.js";

const STATES = {
  asked: { picture: "bolt", label: "asked now" },
  filled: { picture: "check", label: "filled" },
  hidden: { picture: "slash", label: "hidden by its condition" },
  missing: { picture: "circle", label: "missing" },
  optional: { picture: "circle", label: "optional" },
};

export class DraftPanel {
  constructor(store) {
    this.store = store;
    this.head = h("header", { class: "draft-head" });
    this.fields = h("ol", { class: "fields", "aria-label": "Fields" });
    this.ledger = h("div", { class: "ledger", "data-role": "ledger" });
    this.element = h("div", { class: "draft", "data-role": "draft" }, this.head, this.fields, this.ledger);
    this.before = new Map();
    this.draftId = null;
  }

  /** Shows a draft as `/ui/inspect` tells it, or that there is none. */
  render(draft) {
    fill(this.head, draft ? this.#headOf(draft) : noDraft());
    this.element.dataset.revision = draft?.revision ?? "";
    const known = draft && draft.id === this.draftId;
    reconcile(this.fields, draft?.fields ?? [], {
      key: (field) => `${draft.id} ${field.name}`,
      signature: JSON.stringify,
      build: (field) =>
        this.#field(field, known && this.before.has(field.name) && this.before.get(field.name) !== field.value),
    });
    fill(this.ledger, ledger(draft?.ledger ?? null));
    this.before = new Map((draft?.fields ?? []).map((field) => [field.name, field.value]));
    this.draftId = draft?.id ?? null;
  }

  #headOf(draft) {
    const [done, total] = draft.progress;
    return [
      h(
        "div",
        { class: "draft-title" },
        h("h2", { dir: "auto" }, draft.title),
        h("span", { class: "pill", "data-status": draft.status }, draft.status),
      ),
      h(
        "p",
        { class: "draft-facts" },
        draft.stage && fact("stage", draft.stage),
        fact("revision", draft.revision),
        draft.record && fact("record", draft.record),
      ),
      total > 0 &&
        h("div", { class: "progress" }, bar(done, total), h("span", { "data-role": "progress" }, `${done} of ${total}`)),
    ];
  }

  #field(field, changed) {
    const state = STATES[field.state] ?? STATES.missing;
    const origin = [field.who && nameOf(this.store, field.who), field.how].filter(Boolean).join(" · ");
    return h(
      "li",
      {
        class: `draft-field state-${field.state} ${changed ? "changed" : ""}`,
        "data-field": field.name,
        "data-state": field.state,
        "data-locked": String(field.locked),
      },
      h("span", { class: "state-icon", title: state.label }, icon(state.picture, { size: 14, label: state.label })),
      h(
        "div",
        { class: "draft-cell" },
        h(
          "div",
          { class: "draft-line" },
          h(
            "span",
            { class: "draft-label", dir: "auto" },
            field.label,
            field.locked && h("span", { class: "lock", title: "Locked" }, icon("lock", { size: 12, label: "locked" })),
          ),
          this.#value(field),
        ),
        (origin || field.words) &&
          h("p", { class: "origin" }, origin, field.words && h("q", { dir: "auto" }, field.words)),
      ),
    );
  }

  #value(field) {
    if (field.value === null || field.value === undefined)
      return h("span", { class: "no-value" }, EMPTY[field.state] ?? "");
    const value = h(
      field.marked ? "mark" : "span",
      { class: "draft-value", dir: "auto", "data-role": "value" },
      field.value,
    );
    if (field.marked) value.title = "A reading that no parser confirmed";
    return value;
  }
}

const EMPTY = { asked: "asked now", hidden: "not needed", optional: "optional" };

const fact = (name, value) => h("span", {}, `${name} `, h("b", { "data-fact": name }, String(value)));

function bar(done, total) {
  const filled = h("i");
  filled.style.width = `${total ? Math.round((100 * done) / total) : 0}%`;
  return h(
    "div",
    {
      class: "bar",
      role: "progressbar",
      "aria-label": "Progress",
      "aria-valuemin": 0,
      "aria-valuemax": total,
      "aria-valuenow": done,
    },
    filled,
  );
}

function noDraft() {
  return h(
    "div",
    { class: "no-draft" },
    icon("file", { size: 28 }),
    h("h2", {}, "No draft here"),
    h(
      "p",
      {},
      "Once a form is begun in this conversation, its fields, locks and origins stand here as the code holds them.",
    ),
  );
}

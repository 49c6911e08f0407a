// The right side: the draft above, and below it the tools, the last prompt, the events and the faults, one tab at a time.

import { DraftPanel } from "./draft-panel.js";
import { fill, h, keepingFocus } from "./dom.js";
import { icon } from "./icons.js";
import { events } from "./panel/events.js";
import { Faults } from "./panel/faults.js";
import { prompt } from "./panel/prompt.js";
import { tools } from "./panel/tools.js";

const TABS = { tools: "Tools offered", prompt: "Last prompt", events: "Events", faults: "Faults" };

export class Inspector {
  constructor(root, store, acts) {
    Object.assign(this, { root, store, tab: "tools", low: false, drawn: null });
    this.draft = new DraftPanel(store);
    this.faults = new Faults(store, acts);
    this.tabs = h("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": "What the model is given and did",
      onkeydown: (event) => this.#arrow(event),
    });
    this.pane = h("div", { class: "panel-pane", role: "tabpanel", id: "panel-pane", tabindex: 0 });
    this.lower = h(
      "section",
      { class: "panel-lower" },
      h("div", { class: "panel-tabs" }, this.tabs, this.#fold()),
      this.pane,
    );
    fill(
      root,
      this.#grip(),
      h("div", { class: "panel-upper", tabindex: 0, role: "region", "aria-label": "The draft" }, this.draft.element),
      this.lower,
    );
    this.#renderTabs();
  }

  /** An app that shows nothing of itself leaves the faults alone. */
  get #names() {
    return this.store.world?.inspects === false ? ["faults"] : Object.keys(TABS);
  }

  render() {
    this.root.hidden = !this.store.ui.panel;
    if (!this.#names.includes(this.tab)) {
      this.tab = "faults";
      this.root.dataset.alone = true;
      this.#renderTabs();
    }
    this.draft.render(this.store.inspect?.draft ?? null);
    const shown = this.tab === "faults" ? ["faults", this.store.world.knobs] : [this.tab, this.store.inspect];
    const drawn = JSON.stringify(shown);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    keepingFocus(this.pane, () => this.#paint());
  }

  #paint() {
    const at = this.pane.scrollTop;
    const inspect = this.store.inspect ?? {};
    const draw = {
      tools: () => tools(inspect.tools ?? []),
      prompt: () => prompt(inspect.prompt),
      events: () => events(inspect.events ?? []),
      faults: () => this.faults.element(),
    };
    fill(this.pane, draw[this.tab]());
    this.pane.setAttribute("aria-label", TABS[this.tab]);
    this.pane.dataset.pane = this.tab;
    this.pane.scrollTop = at;
  }

  #renderTabs() {
    fill(
      this.tabs,
      this.#names.map((name) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            "aria-selected": String(name === this.tab),
            "aria-controls": "panel-pane",
            tabindex: name === this.tab ? 0 : -1,
            "data-panel-tab": name,
            onclick: () => this.#show(name),
          },
          TABS[name],
        ),
      ),
    );
  }

  #show(name) {
    this.tab = name;
    if (this.low) this.folder.click();
    this.#renderTabs();
    this.render();
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  #arrow(event) {
    const names = this.#names;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#show(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
  }

  /** The head of the sheet that the panel is on a phone. */
  #grip() {
    const onclick = () => this.store.go({ panel: false });
    const label = "Back to the conversation";
    return h(
      "div",
      { class: "grip" },
      h("span", {}, "The draft as it is"),
      h(
        "button",
        { type: "button", class: "icon-button over-close", "aria-label": label, "data-over-close": true, onclick },
        icon("close"),
      ),
    );
  }

  #fold() {
    const onclick = () => {
      this.low = !this.low;
      this.root.dataset.low = this.low;
      this.folder.setAttribute("aria-expanded", String(!this.low));
    };
    this.folder = h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "aria-label": "Show or hide the lower part",
        "aria-expanded": "true",
        "aria-controls": "panel-pane",
        onclick,
      },
      icon("chevron"),
    );
    return this.folder;
  }
}

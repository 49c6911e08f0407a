// The app's home tab: the view it published for this person.

import { renderBlocks } from "./blocks/index.js";
import { fill, h, keepingFocus } from "./dom.js";
import { viewSurface } from "./surfaces.js";

export class Home {
  constructor(store, acts) {
    Object.assign(this, { store, acts, drawn: null });
    this.page = h("div", { class: "home-page", "data-role": "home" });
    this.element = h(
      "div",
      {
        class: "home-pane scroller",
        id: "home-pane",
        role: "tabpanel",
        "aria-labelledby": "tab-home",
        tabindex: 0,
        hidden: true,
      },
      this.page,
    );
  }

  render() {
    const { person } = this.store.ui;
    const view = this.store.world.homes?.[person] ?? null;
    const drawn = JSON.stringify([person, view]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    keepingFocus(this.page, () => fill(this.page, view ? this.#view(view) : this.#empty()));
  }

  #view(view) {
    return h(
      "div",
      { class: "blocks", "data-view-id": view.id },
      renderBlocks(view.blocks, viewSurface(this.store, this.acts, view)),
    );
  }

  #empty() {
    return h("p", { class: "nothing" }, `${this.store.world.bot.name} has not published a home for you yet.`);
  }
}

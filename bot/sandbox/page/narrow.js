// On a phone the rail is a drawer and the draft a sheet: one at a time over the conversation, with the keyboard inside.

const NARROW = matchMedia("(max-width: 760px)");

export class Narrow {
  constructor(store, { app, sidebar, conversation, inspector, scrim }) {
    Object.assign(this, { store, app, sidebar, conversation, inspector, scrim, open: "" });
    scrim.addEventListener("click", () => this.close());
    app.addEventListener("keydown", (event) => event.key === "Escape" && this.open && this.close());
    NARROW.addEventListener("change", () => store.go({ drawer: false, panel: !NARROW.matches }));
  }

  close() {
    this.store.go({ drawer: false, panel: false });
  }

  render() {
    const open = this.#wanted();
    this.app.dataset.over = open;
    this.conversation.inert = open !== "";
    this.scrim.hidden = open === "";
    if (open === this.open) return;
    const before = this.open;
    this.open = open;
    if (open) this.#enter(open === "drawer" ? this.sidebar : this.inspector);
    else this.#back(before);
  }

  #wanted() {
    const { drawer, panel } = this.store.ui;
    if (!NARROW.matches) return "";
    return drawer ? "drawer" : panel ? "sheet" : "";
  }

  #enter(place) {
    place.querySelector("[data-over-close]")?.focus();
  }

  #back(before) {
    const opener = before === "drawer" ? ".drawer-button" : ".panel-button";
    this.conversation.querySelector(opener)?.focus();
  }
}

/** Whether the page is as narrow as a phone. */
export const isNarrow = () => NARROW.matches;

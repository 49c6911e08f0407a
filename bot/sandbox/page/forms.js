// The forms as they are in their folders: every card of one in order, without filling it in, and what is to be mended.

import { renderBlocks } from "./blocks/index.js";
import { fill, h, keepingFocus } from "./dom.js";
import { viewSurface } from "./surfaces.js";
import { tell } from "./toasts.js";

const LOOKING = {
  click: async () => (tell("This only shows the form. Begin it under Messages to fill it in."), false),
  options: async () => ({ options: [] }),
  keep: async () => ({ files: [] }),
};
const SHOWN = 4;

export class Forms {
  constructor(store, acts) {
    Object.assign(this, { store, acts, form: null, version: null, language: null, asked: null, drawn: null });
    this.choices = h("div", { class: "forms-choices" });
    this.cards = h("ol", { class: "forms-cards" });
    this.element = h(
      "div",
      { class: "scroller", id: "forms-pane", role: "tabpanel", "aria-labelledby": "tab-forms", tabindex: 0, hidden: true },
      h("div", { class: "home-page" }, this.choices, this.cards),
    );
  }

  render() {
    const { version, edited, forms } = this.store.world.forms;
    if (version !== this.version) this.form = edited || this.form;
    this.version = version;
    const form = forms.find(({ name }) => name === this.form) ?? forms[0];
    const language = form.languages.includes(this.language) ? this.language : form.languages[0];
    const drawn = JSON.stringify([forms, form, language]);
    if (drawn !== this.drawn) keepingFocus(this.choices, () => this.#paint(forms, form, language));
    this.drawn = drawn;
    const asked = JSON.stringify([version, form.name, language]);
    if (asked !== this.asked) this.#load(asked, form.name, language);
  }

  async #load(asked, form, language) {
    this.asked = asked;
    const found = await this.acts.preview(form, language);
    if (found && asked === this.asked)
      fill(
        this.cards,
        found.cards.map((card, n) => this.#card(card, `preview ${form} ${language} ${n}`)),
      );
  }

  #paint(forms, form, language) {
    const names = forms.map(({ name, title }) => [name, title]);
    const onForm = (name) => ((this.form = name), (this.element.scrollTop = 0), this.render());
    const onLanguage = (chosen) => ((this.language = chosen), this.render());
    const tongues = form.languages.map((code) => [code, new Intl.DisplayNames(["en"], { type: "language" }).of(code)]);
    fill(this.choices, select("Form", names, form.name, onForm), select("Language", tongues, language, onLanguage));
  }

  #card({ about, blocks }, id) {
    const line = ({ label, kind, name, when }) =>
      h(
        "p",
        { "data-preview": name },
        h("strong", { dir: "auto" }, label),
        h("span", { class: "quiet" }, ` · ${kind}${when ? ` · ${when}` : ""}`),
      );
    const card = h("div", { class: "blocks" }, renderBlocks(blocks, viewSurface(this.store, LOOKING, { id, blocks })));
    return h("li", {}, about.map(line), card);
  }
}

function select(label, choices, chosen, onchoice) {
  const options = choices.map(([value, words]) => h("option", { value, selected: value === chosen }, words));
  const onchange = (event) => onchoice(event.target.value);
  return h("label", {}, label, h("select", { class: "field", onchange, "data-focus": label }, options));
}

/** The bar above everything while a form is wrong: each file with its line, and the sentence that `holdfast check` gives. */
export class FormsBar {
  constructor(root, store) {
    Object.assign(this, { root, store, version: null });
  }

  render() {
    const { version = 0, problems = [] } = this.store.world.forms ?? {};
    if (version === this.version) return;
    const first = this.version === null;
    this.version = version;
    this.root.hidden = problems.length === 0;
    if (!first && !problems.length) tell("The edited form is in use. A draft that is open keeps the form it began with.");
    const rest = problems.length - SHOWN;
    fill(
      this.root,
      h("strong", {}, "A form has to be mended. Until then its last good version stays in use."),
      problems.slice(0, SHOWN).map(({ file, line, text }) => h("p", {}, h("code", {}, `${file}:${line}`), ` ${text}`)),
      rest > 0 && h("p", {}, `… and ${rest} more: holdfast check lists all.`),
    );
  }
}

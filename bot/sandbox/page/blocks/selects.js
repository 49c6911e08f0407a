// Select menus: of fixed options, of options that the app looks up, of people and of conversations; for one or for many.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { labels } from "./choices.js";
import { Combobox } from "./combobox.js";
import { marks, perform } from "./perform.js";
import { line, words } from "./text.js";
import { valueKey } from "./values.js";

export function select(element, place, surface) {
  const many = element.type.startsWith("multi_");
  const source = sourceOf(element, place, surface);
  return (many ? manySelect : oneSelect)(element, place, surface, source);
}

function oneSelect(element, place, surface, source) {
  const key = valueKey(element);
  const shown = () => source.words(surface.values.get(place.block, element)[key]);
  const send = async (value) => {
    await perform({ element, place, surface, control: combobox.input }, { [key]: value });
    combobox.settle(shown());
  };
  const combobox = build(element, place, source, {
    onChoose: (option) => send(option.raw),
    onClear: place.optional ? () => send(null) : null,
  });
  combobox.settle(shown());
  return combobox.element;
}

function manySelect(element, place, surface, source) {
  const key = valueKey(element);
  const chosen = () => surface.values.get(place.block, element)[key];
  const chips = h("span", { class: "chips" });
  const send = async (values) => {
    await perform({ element, place, surface, control: combobox.input }, { [key]: values });
    paint();
  };
  const has = (raw) => chosen().some((one) => source.same(one, raw));
  const add = (option) =>
    has(option.raw) || full(element, chosen()) ? combobox.settle("") : send([...chosen(), option.raw]);
  const combobox = build(element, place, source, { onChoose: add, onClear: null });
  const remove = (raw) => (send(chosen().filter((one) => !source.same(one, raw))), combobox.input.focus());
  const paint = () => (
    chips.replaceChildren(...chosen().map((raw) => chip(source.words(raw), () => remove(raw)))),
    combobox.settle("")
  );
  paint();
  return h("span", { class: "multi" }, chips, combobox.element);
}

const full = (element, chosen) => element.max_selected_items && chosen.length >= element.max_selected_items;

const chip = (label, onclick) =>
  h(
    "span",
    { class: "chip" },
    label,
    h("button", { type: "button", "aria-label": `Remove ${label}`, onclick }, icon("close", { size: 11 })),
  );

function build(element, place, source, handlers) {
  const placeholder = words(element.placeholder) || "Choose…";
  const attributes = { ...marks(element, place), ...labels(place) };
  attributes["aria-label"] ??= place.labelId ? null : placeholder;
  return new Combobox({ attributes, placeholder, load: source.load, ...handlers });
}

const optionRow = (surface) => (raw) => ({
  raw,
  value: raw.value,
  words: words(raw.text),
  label: () => h("span", {}, line(raw.text, surface)),
  description: raw.description ? words(raw.description) : null,
});

const idRow = (raw, label) => ({ raw, value: raw, words: label, label: () => h("span", {}, label), description: null });

const matching = (rows, query) => rows.filter((row) => row.words.toLowerCase().includes(query.toLowerCase()));

const groupsOf = (surface, { options, option_groups: groups }) =>
  (groups ?? [{ label: null, options: options ?? [] }]).map((group) => ({
    label: group.label ? words(group.label) : null,
    options: group.options.map(optionRow(surface)),
  }));

const optionSource = { words: (option) => words(option?.text), same: (a, b) => a.value === b.value };

function sourceOf(element, place, surface) {
  const kind = element.type.replace("multi_", "");
  if (kind === "static_select") return { ...optionSource, load: fixed(element, surface) };
  if (kind === "external_select") return { ...optionSource, load: external(element, place, surface) };
  const all = surface.directory(kind);
  const label = (id) => all.find((entry) => entry.id === id)?.name ?? id ?? "";
  const rows = all.map((entry) => idRow(entry.id, entry.name));
  return {
    words: label,
    same: (a, b) => a === b,
    load: async (query) => [{ label: null, options: matching(rows, query) }],
  };
}

const fixed = (element, surface) => async (query) =>
  groupsOf(surface, element)
    .map((group) => ({ ...group, options: matching(group.options, query) }))
    .filter((group) => group.options.length);

const external = (element, place, surface) => async (query) => {
  const least = element.min_query_length ?? 3;
  if (query.length < least) return `Type at least ${least} ${least === 1 ? "character" : "characters"}`;
  const answer = await surface.options({ block_id: place.block.block_id, action_id: element.action_id, value: query });
  return answer ? groupsOf(surface, answer) : "The app gave no options.";
};

// The tools that the model would be offered now, with the properties that are left in them.

import { h } from "../dom.js";

export function tools(list) {
  if (!list.length) return h("p", { class: "nothing" }, "No tools are offered here.");
  return h("ul", { class: "tools" }, list.map(tool));
}

function tool({ name, description, properties }) {
  return h(
    "li",
    { class: "tool", "data-tool": name },
    h("code", { class: "tool-name" }, name),
    h(
      "span",
      { class: "properties" },
      properties.map((property) => h("code", { class: "property" }, property)),
    ),
    description && h("p", { class: "quiet" }, description),
  );
}

// The overflow menu: a button with three dots that opens a menu of acts.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { openPopup } from "../popup.js";
import { safeHref } from "../text/links.js";
import { marks, perform } from "./perform.js";
import { line } from "./text.js";

export function overflow(element, place, surface) {
  const control = h(
    "button",
    {
      type: "button",
      class: "icon-button overflow",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": "More actions",
      ...marks(element, place),
    },
    icon("more"),
  );
  const menu = h("div", { class: "popup menu", role: "menu", popover: "manual" });
  let popup = null;
  const choose = (option) => {
    popup?.close();
    if (option.url && safeHref(option.url)) window.open(safeHref(option.url), "_blank", "noopener,noreferrer");
    perform({ element, place, surface, control }, { selected_option: option });
  };
  menu.append(...element.options.map((option) => item(option, surface, () => choose(option))));
  const closed = () => ((popup = null), control.setAttribute("aria-expanded", "false"), control.focus());
  control.addEventListener("click", () => {
    if (popup) return popup.close();
    popup = openPopup(control, menu, closed);
    control.setAttribute("aria-expanded", "true");
    menu.firstElementChild.focus();
  });
  menu.addEventListener("keydown", (event) => move(event, menu, () => popup?.close()));
  return h("span", { class: "popup-host" }, control, menu);
}

function item(option, surface, onclick) {
  const description = option.description && h("small", {}, line(option.description, surface));
  return h(
    "button",
    { type: "button", role: "menuitem", tabindex: -1, "data-value": option.value, onclick },
    line(option.text, surface),
    description,
  );
}

function move(event, menu, close) {
  const items = [...menu.children];
  const at = items.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  if (event.key === "Tab") return close();
  if (!(event.key in steps)) return undefined;
  event.preventDefault();
  return items.at((steps[event.key] + items.length) % items.length).focus();
}

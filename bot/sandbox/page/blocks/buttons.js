// Buttons: plain, link, icon and feedback.

import { dress, h } from "../dom.js";
import { icon } from "../icons.js";
import { safeHref } from "../text/links.js";
import { marks, perform } from "./perform.js";
import { line, words } from "./text.js";

const ICONS = { trash: "trash", edit: "edit", download: "download", link: "attach" };

export function button(element, place, surface) {
  const href = element.url && safeHref(element.url);
  const node = href ? linkNode(href) : h("button", { type: "button" });
  node.className = `button ${element.style ? `button-${element.style}` : ""}`.trim();
  if (element.accessibility_label) node.setAttribute("aria-label", element.accessibility_label);
  return dressed(node, element, place, surface, h("span", { class: "button-label" }, line(element.text, surface)));
}

const linkNode = (href) => h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" });

export function iconButton(element, place, surface) {
  if (element.visible_to_user_ids && !element.visible_to_user_ids.includes(surface.person)) return null;
  const label = element.accessibility_label ?? words(element.text);
  const node = h("button", { type: "button", class: "icon-button", "aria-label": label, title: words(element.text) });
  return dressed(node, element, place, surface, icon(ICONS[element.icon] ?? "more"));
}

function dressed(node, element, place, surface, content) {
  dress(node, marks(element, place)).append(content);
  node.addEventListener("click", () => perform({ element, place, surface, control: node }, {}));
  return node;
}

/** A pair of thumbs; the one that was pressed last stays marked. */
export function feedbackButtons(element, place, surface) {
  const kept = (choice) => `vote ${surface.person} ${surface.key} ${place.block.block_id} ${choice.value}`;
  const press = (chosen) => {
    for (const [node, choice] of pair) {
      if (choice === chosen) surface.opened.add(kept(choice));
      else surface.opened.delete(kept(choice));
      node.setAttribute("aria-pressed", String(choice === chosen));
    }
  };
  const vote = (choice, picture) => {
    const node = h("button", { type: "button", class: "icon-button", ...marks(element, place) }, icon(picture));
    node.dataset.value = choice.value;
    node.dataset.focus += ` ${choice.value}`;
    node.setAttribute("aria-label", choice.accessibility_label ?? words(choice.text));
    node.title = words(choice.text);
    node.setAttribute("aria-pressed", String(surface.opened.has(kept(choice))));
    node.addEventListener("click", async () => {
      const fields = { text: choice.text, value: choice.value };
      if (await perform({ element, place, surface, control: node }, fields)) press(choice);
    });
    return [node, choice];
  };
  const pair = [vote(element.positive_button, "thumbUp"), vote(element.negative_button, "thumbDown")];
  const nodes = pair.map(([node]) => node);
  return h("span", { class: "feedback", role: "group", "aria-label": "Was this helpful?" }, nodes);
}

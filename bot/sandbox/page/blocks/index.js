// Which function draws which block.

import { fragment, h } from "../dom.js";
import { alert, card, carousel, container, plan, table, task } from "./cards.js";
import {
  actions,
  context,
  contextActions,
  divider,
  file,
  header,
  imageBlock,
  input,
  markdownBlock,
  section,
  video,
} from "./layout.js";
import { richText } from "./rich_text.js";

const DRAW = {
  actions,
  alert,
  card,
  carousel,
  container: (block, surface) => container(block, surface, renderBlocks),
  context,
  context_actions: contextActions,
  divider,
  file,
  header,
  image: imageBlock,
  input,
  markdown: markdownBlock,
  plan,
  rich_text: richText,
  section,
  table,
  task_card: task,
  video,
};

/** A fragment that shows `blocks` on `surface` (see elements.js). A block the page does not know says so. */
export function renderBlocks(blocks, surface) {
  return fragment(blocks.map((block) => renderBlock(block, surface)));
}

function renderBlock(block, surface) {
  const content = (DRAW[block.type] ?? unknown)(block, surface);
  return h(
    "div",
    { class: `block block-${block.type}`, "data-block-id": block.block_id ?? null, "data-block": block.type },
    content,
  );
}

const unknown = (block) => h("span", { class: "unknown" }, `This page does not draw “${block.type}” blocks.`);

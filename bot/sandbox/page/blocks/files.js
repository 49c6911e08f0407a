// A file in a modal: it is handed over when it is chosen, and the submission names it.

import { dress, h } from "../dom.js";
import { labels } from "./choices.js";
import { marks } from "./perform.js";

export function fileInput(element, place, surface) {
  const { files } = surface.values.get(place.block, element);
  const named = h("span", { class: "file-named" }, (files ?? []).map((file) => file.name).join(", "));
  const input = h("input", { type: "file", multiple: (element.max_files ?? 10) > 1 });
  dress(input, { ...marks(element, place), ...labels(place) });
  input.addEventListener("change", async () => {
    const answer = await surface.keep([...input.files].slice(0, element.max_files ?? 10));
    surface.values.set(place.block, element, { files: answer?.files ?? [] });
    named.textContent = (answer?.files ?? []).map((file) => file.name).join(", ");
  });
  return h("span", { class: "file-input" }, input, named);
}

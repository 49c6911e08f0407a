// A list that opens below (or above) its control, over everything else, and closes on Escape, an outside click or a scroll.

const GAP = 4;

/** Opens `panel` (an element with popover="manual", beside its control in the document) at `anchor`; gives its closer. */
export function openPopup(anchor, panel, onClose) {
  const aborter = new AbortController();
  const close = () => {
    if (aborter.signal.aborted) return;
    aborter.abort();
    if (panel.matches(":popover-open")) panel.hidePopover();
    onClose?.();
  };
  const away = (event) => !panel.contains(event.target) && !anchor.contains(event.target) && close();
  const escape = (event) => event.key === "Escape" && (event.preventDefault(), event.stopPropagation(), close());
  panel.showPopover();
  position(anchor, panel);
  const options = { signal: aborter.signal, capture: true };
  document.addEventListener("pointerdown", away, options);
  document.addEventListener("scroll", away, options);
  document.addEventListener("keydown", escape, options);
  window.addEventListener("resize", close, options);
  return { close, place: () => position(anchor, panel) };
}

function position(anchor, panel) {
  const box = anchor.getBoundingClientRect();
  panel.style.minWidth = `${box.width}px`;
  const { width, height } = panel.getBoundingClientRect();
  const below = box.bottom + GAP + height <= window.innerHeight || box.top < height;
  panel.style.top = `${below ? box.bottom + GAP : box.top - GAP - height}px`;
  panel.style.left = `${Math.max(GAP, Math.min(box.left, window.innerWidth - width - GAP))}px`;
}

// Builds the page's elements. Data becomes text nodes and attributes only, never markup.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "indeterminate"]);
let serial = 0;

/** A fresh id for label and aria references. */
export const uid = (prefix = "id") => `${prefix}-${++serial}`;

/** An element: attributes that are null, undefined or false are left out; `on…` adds a listener. */
export function h(tag, attributes = {}, ...children) {
  const node = dress(document.createElement(tag), attributes);
  node.append(...present(children));
  return node;
}

/** Sets attributes as `h` does, on an element that exists. */
export function dress(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  return node;
}

export function svg(path, { size = 16, label = null } = {}) {
  const node = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "path");
  const attributes = { viewBox: "0 0 24 24", width: size, height: size, class: "icon" };
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.setAttribute(label ? "aria-label" : "aria-hidden", label ?? "true");
  if (label) node.setAttribute("role", "img");
  shape.setAttribute("d", path);
  node.append(shape);
  return node;
}

export function fragment(...children) {
  const node = document.createDocumentFragment();
  node.append(...present(children));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

/**
 * Makes `parent` hold one element per item, touching only those whose signature changed.
 * `build(item)` gives the element; `key(item)` and `signature(item)` are strings.
 */
export function reconcile(parent, items, { key, signature, build }) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  const nodes = items.map((item) => kept(old.get(key(item)), key(item), signature(item), () => build(item)));
  const wanted = new Set(nodes);
  for (const node of [...parent.children]) if (!wanted.has(node)) node.remove();
  let at = parent.firstElementChild;
  for (const node of nodes) {
    if (node === at) at = at.nextElementSibling;
    else parent.insertBefore(node, at);
  }
}

function kept(node, key, signature, build) {
  if (node?.signature === signature) return node;
  const fresh = build();
  fresh.dataset.key = key;
  fresh.signature = signature;
  node?.replaceWith(fresh);
  return fresh;
}

/** Runs `paint` and puts the focus back on the same control when painting replaced it. */
export function keepingFocus(root, paint) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const where = active && { key: active.closest("[data-key]")?.dataset.key, control: active.dataset.focus };
  const range = active && selectionOf(active);
  paint();
  if (!active || document.activeElement === active) return;
  if (active.isConnected) active.focus({ preventScroll: true });
  else refocus(root, where, range);
}

function refocus(root, { key, control }, range) {
  const scope = key === undefined ? root : [...root.querySelectorAll("[data-key]")].find((n) => n.dataset.key === key);
  const same =
    control && [...(scope ?? root).querySelectorAll("[data-focus]")].find((n) => n.dataset.focus === control);
  const target = same || scope;
  target?.focus({ preventScroll: true });
  if (same && range) same.setSelectionRange?.(...range);
}

function selectionOf(node) {
  const text = node.matches("textarea, input[type=text], input:not([type])");
  return text ? [node.selectionStart, node.selectionEnd] : null;
}

function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (PROPERTIES.has(name)) node[name] = value;
  else node.setAttribute(name, value === true ? "" : value);
}

function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

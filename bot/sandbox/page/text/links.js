// Links that came with data: only web, mail and phone addresses are followed, in a tab of their own.

import { h } from "../dom.js";

const SAFE = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address if it may be followed, else null. */
export function safeHref(address) {
  try {
    const url = new URL(address);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** A link around `children`; an address that may not be followed leaves the children as they are. */
export function link(address, ...children) {
  const href = safeHref(address);
  if (!href) return h("span", { class: "link-refused", title: "This address is not followed" }, children);
  return h("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, children);
}

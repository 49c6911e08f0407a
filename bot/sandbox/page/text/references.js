// Slack's angle-bracket references: people, channels, groups, dates and links.

import { h } from "../dom.js";
import { link } from "./links.js";

const mention = (text) => h("span", { class: "mention" }, h("bdi", {}, text));

/** The node for what stood between `<` and `>`, or null when it is no reference. `names` tells people and channels. */
export function reference(inner, names) {
  const [target, label] = split(inner);
  if (target.startsWith("@")) return mention(`@${label ?? names.person(target.slice(1))}`);
  if (target.startsWith("#")) return mention(`#${label ?? names.channel(target.slice(1))}`);
  if (target.startsWith("!")) return special(target.slice(1), label);
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return link(decode(target), decode(label ?? target));
  return null;
}

export const decode = (text) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

function split(inner) {
  const bar = inner.indexOf("|");
  return bar < 0 ? [inner, undefined] : [inner.slice(0, bar), inner.slice(bar + 1)];
}

function special(target, label) {
  if (["channel", "here", "everyone"].includes(target)) return mention(`@${target}`);
  if (target.startsWith("subteam^")) return mention(decode(label ?? `@${target.slice(8)}`));
  if (target.startsWith("date^")) return h("time", {}, dateText(target.split("^"), label));
  return null;
}

const DATE_WORDS = {
  "{date_num}": { dateStyle: "short" },
  "{date}": { dateStyle: "long" },
  "{date_short}": { dateStyle: "medium" },
  "{date_long}": { dateStyle: "full" },
  "{date_pretty}": { dateStyle: "long" },
  "{date_short_pretty}": { dateStyle: "medium" },
  "{date_long_pretty}": { dateStyle: "full" },
  "{time}": { timeStyle: "short" },
  "{time_secs}": { timeStyle: "medium" },
};

function dateText([, seconds, format], fallback) {
  const at = new Date(Number(seconds) * 1000);
  if (!format || Number.isNaN(at.getTime())) return decode(fallback ?? "");
  return format.replace(/\{[a-z_]+\}/g, (word) =>
    DATE_WORDS[word] ? at.toLocaleString("en-GB", DATE_WORDS[word]) : word,
  );
}

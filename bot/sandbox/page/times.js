// Moments as people read them, in the time zone of whoever looks.

const LOCALE = "en-GB";
const made = new Map();

function formatter(zone, options) {
  const key = JSON.stringify([zone, options]);
  if (!made.has(key)) made.set(key, build(zone, options));
  return made.get(key);
}

function build(zone, options) {
  try {
    return new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat(LOCALE, options);
  }
}

const dateOf = (ts) => new Date(Number.parseFloat(ts) * 1000);

/** "14:32" for Slack's `ts`. */
export const clock = (ts, zone) => formatter(zone, { hour: "2-digit", minute: "2-digit" }).format(dateOf(ts));

/** "Friday 20 November 2026" for Slack's `ts`. */
export const day = (ts, zone) =>
  formatter(zone, { weekday: "long", day: "numeric", month: "long", year: "numeric" }).format(dateOf(ts));

export const full = (ts, zone) => formatter(zone, { dateStyle: "full", timeStyle: "medium" }).format(dateOf(ts));

/** "14:32:05" for an ISO moment; the text itself when it is none. */
export function isoClock(iso, zone) {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? String(iso ?? "") : formatter(zone, { timeStyle: "medium" }).format(at);
}

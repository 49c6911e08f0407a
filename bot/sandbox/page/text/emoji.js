// Emoji shortcodes that apps commonly send. An unknown shortcode stays as it was written.

const TABLE = {
  "+1": "👍", "-1": "👎", alarm_clock: "⏰", anchor: "⚓", arrow_down: "⬇️", arrow_left: "⬅️", arrow_right: "➡️", arrow_up: "⬆️",
  ballot_box_with_check: "☑️", bank: "🏦", bar_chart: "📊", bell: "🔔", blue_book: "📘", bookmark: "🔖", books: "📚", briefcase: "💼", bulb: "💡",
  calendar: "📅", car: "🚗", chart_with_downwards_trend: "📉", chart_with_upwards_trend: "📈", clap: "👏", clipboard: "📋", clock1: "🕐",
  computer: "💻", construction: "🚧", date: "📆", email: "✉️", exclamation: "❗", eyes: "👀", file_folder: "📁", fire: "🔥", gear: "⚙️",
  globe_with_meridians: "🌐", grey_exclamation: "❕", grey_question: "❔", hammer: "🔨", handshake: "🤝", heart: "❤️", heavy_check_mark: "✔️",
  heavy_minus_sign: "➖", heavy_multiplication_x: "✖️", heavy_plus_sign: "➕", hourglass: "⌛", hourglass_flowing_sand: "⏳", house: "🏠",
  inbox_tray: "📥", information_source: "ℹ️", key: "🔑", large_blue_circle: "🔵", large_green_circle: "🟢", large_yellow_circle: "🟡",
  link: "🔗", lock: "🔒", mag: "🔍", mailbox: "📫", memo: "📝", moneybag: "💰", mute: "🔇", no_entry: "⛔", no_entry_sign: "🚫", ok: "🆗",
  ok_hand: "👌", outbox_tray: "📤", package: "📦", page_facing_up: "📄", paperclip: "📎", pencil: "📝", pencil2: "✏️", phone: "☎️", point_down: "👇",
  point_right: "👉", pray: "🙏", question: "❓", raised_hands: "🙌", receipt: "🧾", red_circle: "🔴", robot_face: "🤖", rocket: "🚀",
  rotating_light: "🚨", scroll: "📜", shield: "🛡️", simple_smile: "🙂", slightly_smiling_face: "🙂", smile: "😄", smiley: "😃", sparkles: "✨",
  speech_balloon: "💬", star: "⭐", stopwatch: "⏱️", sunny: "☀️", tada: "🎉", thinking_face: "🤔", thumbsdown: "👎", thumbsup: "👍",
  triangular_flag_on_post: "🚩", unlock: "🔓", warning: "⚠️", wastebasket: "🗑️", wave: "👋", white_check_mark: "✅", white_circle: "⚪", x: "❌",
  zap: "⚡",
};

const SHORTCODE = /:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/g;

/** The character for a shortcode's name, or null. */
export const emoji = (name) => (Object.hasOwn(TABLE, name) ? TABLE[name] : null);

/** The text with every known shortcode replaced. */
export const withEmoji = (text) => text.replace(SHORTCODE, (whole, name) => emoji(name) ?? whole);

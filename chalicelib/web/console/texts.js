/** The language of the page: its sentences, numbers and dates. */

/** @typedef {typeof import("./en.js").en} Texts */
/** @typedef {{[R in keyof Texts]: `${R}.${keyof Texts[R] & string}`}[keyof Texts]} Key */

const LANGUAGES = ["en", "es"];
const KEPT = "acervo-language";

export const language = chosen();

function chosen() {
  const wished = [localStorage.getItem(KEPT) ?? "", ...navigator.languages].map((each) => each.slice(0, 2));
  return wished.find((each) => LANGUAGES.includes(each)) ?? "en";
}

/** Only the one that is spoken is fetched. @type {Texts} */
const texts = language === "es" ? (await import("./es.js")).es : (await import("./en.js")).en;

export const other = language === "es" ? "en" : "es";

/** Speak the other language from now on. */
export function switchLanguage() {
  localStorage.setItem(KEPT, other);
  location.reload();
}

/**
 * A sentence, with its gaps filled: `{name}`; and `{n|one item|{n} items}`, which chooses by a number.
 * @param {Key} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  return filled(sentence(key) ?? key, values);
}

/** The sentence if there is one, for keys made at run time. @param {string} key @param {Record<string, unknown>} values */
export function maybe(key, values = {}) {
  const found = sentence(key);
  return found === undefined ? undefined : filled(found, values);
}

/** @param {string} key @returns {string | undefined} */
function sentence(key) {
  const [room = "", ...name] = key.split(".");
  const rooms = /** @type {Record<string, Record<string, string>>} */ (/** @type {unknown} */ (texts));
  return rooms[room]?.[name.join(".")];
}

/** @param {string} text @param {Record<string, unknown>} values */
function filled(text, values) {
  const chosen = text.replace(/\{(\w+)\|([^|{}]*(?:\{\w+\}[^|{}]*)*)\|([^|{}]*(?:\{\w+\}[^|{}]*)*)\}/g, (_, name, one, many) =>
    values[name] === 1 ? one : many,
  );
  return chosen.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? told(values[name]) : whole));
}

/** @param {unknown} value */
function told(value) {
  if (typeof value === "number") return number(value);
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Numbers and dates as they are where the reader is, if that is where the language is spoken. */
const region = navigator.languages.find((each) => each.startsWith(language)) ?? language;
const numbers = new Intl.NumberFormat(region);
const moments = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(region, { dateStyle: "medium" });
const spans = new Intl.RelativeTimeFormat(region, { numeric: "auto" });

/** @param {number} value */
export const number = (value) => numbers.format(value);

/** @param {string} iso */
export const moment = (iso) => moments.format(new Date(iso));

/** @param {string} iso */
export const day = (iso) => days.format(new Date(iso));

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** How long ago, for the last week; then the day. @param {string} iso */
export function ago(iso) {
  const seconds = (Date.now() - new Date(iso).getTime()) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return day(iso);
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return spans.format(-Math.round(seconds / length), unit);
}

/** @param {number} bytes */
export function size(bytes) {
  const unit = bytes < 1024 ? "byte" : bytes < 1024 ** 2 ? "kilobyte" : "megabyte";
  const divided = unit === "byte" ? bytes : unit === "kilobyte" ? bytes / 1024 : bytes / 1024 ** 2;
  const digits = divided < 10 && unit !== "byte" ? 1 : 0;
  return new Intl.NumberFormat(region, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: digits }).format(divided);
}

/**
 * Where one is. Everything has an address: `/me#knowledge` in the personal space, `/?space=<id>#knowledge` in a team's.
 * After the hash: the panel, then what it shows, then how (`#knowledge/item_…@rev_…`, `#search?q=…&mode=…`).
 */

/**
 * @typedef {object} Place
 * @property {string | null} space id of a team's space; null for the personal one
 * @property {string} panel
 * @property {string[]} path what comes after the panel, decoded
 * @property {URLSearchParams} query
 */

/** What all addresses of the console begin with, with a slash at the end: these files lie in its `assets/<version>/`. */
export const BASE = new URL("../../", import.meta.url).href;

export const FIRST = "knowledge";

const CITATION = /^\s*(?:knowledge:)?(item_[a-z0-9]+)@(rev_[a-z0-9]+)\s*$/;

/** @param {string} href @returns {Place} */
export function read(href) {
  const url = new URL(href);
  // A device's link has its code right behind the panel, since people type it.
  const hash = url.hash.slice(1).replace(/^device=/, "device?code=");
  const [path = "", query = ""] = hash.split(/\?(.*)/s);
  const [panel = "", ...rest] = path.split("/").map(decoded);
  return {
    space: url.searchParams.get("space"),
    panel: panel || FIRST,
    path: rest.filter(Boolean),
    query: new URLSearchParams(query),
  };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The address of a place.
 * @param {string | null} space
 * @param {string} panel
 * @param {string[]} [path]
 * @param {Record<string, string | number | boolean | null | undefined>} [query] what is null, false or empty is left out
 */
export function address(space, panel, path = [], query = {}) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== false && value !== "") told.set(name, String(value));
  }
  const where = space === null ? "me" : `?space=${encodeURIComponent(space)}`;
  const hash = [panel, ...path.map((each) => encodeURIComponent(each).replaceAll("%40", "@"))].join("/");
  return `${BASE}${where}#${hash}${told.size ? `?${told}` : ""}`;
}

/**
 * The item and revision that a citation names, wherever it was copied from.
 * @param {string} text @returns {{item: string, revision: string} | null}
 */
export function cited(text) {
  const found = CITATION.exec(text);
  return found ? { item: found[1] ?? "", revision: found[2] ?? "" } : null;
}

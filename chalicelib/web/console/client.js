/**
 * The one way to the API. Its types are the OpenAPI document's; the browser sends the session's cookie, and every
 * write the session's CSRF token.
 */

import { BASE } from "./place.js";

/** @typedef {import("./contract").paths} Paths */
/** @typedef {import("./contract").Session} Session */

/** What the API refused: a code, a status, and its facts. `code` is "offline" where nothing answered. */
export class Problem extends Error {
  /** @param {number} status @param {Record<string, any>} body @param {number | null} wait seconds */
  constructor(status, body, wait = null) {
    super(String(body.detail ?? body.code ?? status));
    this.status = status;
    this.code = String(body.code ?? "internal_error");
    this.facts = body;
    this.wait = wait;
  }

  get offline() {
    return this.code === "offline";
  }
}

const OFFLINE = { code: "offline" };

/** How a call fills in its path, query and body. @typedef {Record<string, any>} Values */

/**
 * @typedef {object} Told
 * @property {Values} [path]
 * @property {Values} [query]
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {boolean} [signsIn] whether it is itself about signing in: then 401 is an answer
 */

/** The session, and calls in its name. */
export class Client {
  constructor() {
    /** @type {Session | null} */
    this.session = null;
    /**
     * Called when the session has ended in the middle of something; resolves once there is one again, and the call that
     * found it out is made once more. Nothing that was typed is lost.
     * @type {() => Promise<void>}
     */
    this.signIn = () => Promise.reject(new Problem(401, { code: "unauthenticated" }));
  }

  /**
   * The answer's body. Raises Problem.
   * @template {keyof Paths} P
   * @template {import("./contract").Method<P>} M
   * @param {M} method
   * @param {P} path
   * @param {Told} [told]
   * @returns {Promise<import("./contract").Answer<P, M>>}
   */
  async call(method, path, told = {}) {
    const response = await this.fetch(method, String(path), told);
    return response.json();
  }

  /**
   * The answer as it comes, if it is a good one. Raises Problem.
   * @param {string} method
   * @param {string} path with `{names}` that `told.path` fills
   * @param {Told} [told]
   */
  async fetch(method, path, told = {}) {
    let response = await this.send(method, path, told);
    if (response.status === 401 && this.session && !told.signsIn) {
      await this.signIn();
      response = await this.send(method, path, told);
    }
    if (!response.ok) throw await problem(response);
    return response;
  }

  /** @param {string} method @param {string} path @param {Told} told */
  async send(method, path, told) {
    const writes = method !== "get";
    /** @type {Record<string, string>} */
    const headers = { accept: "application/json", ...told.headers };
    if (writes && this.session) headers["x-csrf-token"] = this.session.csrf_token;
    if (told.body !== undefined) headers["content-type"] = "application/json";
    try {
      return await fetch(located(path, told), {
        method: method.toUpperCase(),
        headers,
        credentials: "same-origin",
        cache: "no-store",
        signal: told.signal ?? null,
        body: told.body === undefined ? null : JSON.stringify(told.body),
      });
    } catch (fault) {
      if (told.signal?.aborted) throw fault;
      throw new Problem(0, OFFLINE);
    }
  }

  /**
   * All of a list, page by page, until `most` have come.
   * @template T
   * @param {(cursor: string | undefined) => Promise<{rows: T[], next: string | null}>} page
   * @param {number} most
   */
  async all(page, most) {
    /** @type {T[]} */
    const rows = [];
    /** @type {string | null | undefined} */
    let cursor;
    do {
      const taken = await page(cursor ?? undefined);
      rows.push(...taken.rows);
      cursor = taken.next;
    } while (cursor && rows.length < most);
    return rows;
  }
}

/** @param {string} path @param {Told} told */
function located(path, told) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(told.path?.[name])));
  const url = new URL(filled.slice(1), BASE);
  for (const [name, value] of Object.entries(told.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
  }
  return url;
}

/** @param {Response} response */
async function problem(response) {
  const body = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get("retry-after")) || null;
  return new Problem(response.status, body, wait);
}

/** A key that makes sending a write twice safe. */
export const once = () => ({ "idempotency-key": crypto.randomUUID() });

/** What every panel is, and what it is given. */

import { address } from "./place.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./contract").Schemas} Schemas */

/**
 * What a panel stands on.
 * @typedef {object} Stage
 * @property {import("./client.js").Client} client
 * @property {Schemas["SpaceAnswer"]} space where one is
 * @property {Schemas["SpaceAnswer"][]} spaces all that one is in
 * @property {Schemas["ConsoleAnswer"]} about this deployment
 * @property {() => Place} place where one is at this moment
 * @property {(href: string, options?: {replace?: boolean}) => void | Promise<void>} go
 */

export class Panel extends HTMLElement {
  constructor() {
    super();
    /** @type {Stage} */
    this.stage = /** @type {any} */ (undefined);
    /** Ends when one looks at another place: for calls and listeners. */
    this.gone = new AbortController();
    /** The place that is being shown, and until when. */
    this.turn = { place: /** @type {Place | null} */ (null), done: Promise.resolve() };
  }

  disconnectedCallback() {
    this.gone.abort();
  }

  /**
   * Show a place instead of the one before. What is on its way for that is called off and waited for, so that it never
   * comes last; its listeners count no more.
   * @param {Place} place
   */
  async turnTo(place) {
    const before = this.turn.done.catch(() => {});
    this.gone.abort();
    this.turn.place = place;
    await before;
    if (this.turn.place !== place) return; // one went on meanwhile
    this.gone = new AbortController();
    this.turn.done = this.show(place);
    await this.turn.done;
  }

  /** Wait, unless one goes on meanwhile: then it raises AbortError. @param {number} ms */
  pause(ms) {
    const { signal } = this.gone;
    return new Promise((resolve, reject) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  get client() {
    return this.stage.client;
  }

  /** Show a place. Called when one comes, and again when the address changes within the panel. @param {Place} _place */
  async show(_place) {}

  /** Whether one may go away without asking. */
  mayLeave() {
    return true;
  }

  /** Whether the caller's role allows something here, such as `item:write`. @param {Schemas["Action"]} action */
  may(action) {
    return this.stage.space.allowed.includes(action);
  }

  /** Whether the session has a scope, such as `knowledge:write`. @param {string} scope */
  has(scope) {
    return Boolean(this.client.session?.scopes.includes(scope));
  }

  /**
   * Whether something lies in the space where one is; if not, one is taken there, since its roles count.
   * @param {string} space id of where it lies
   */
  isHere(space) {
    if (space === this.stage.space.id) return true;
    const kind = this.stage.spaces.find((each) => each.id === space)?.kind;
    const { panel, path, query } = this.stage.place();
    this.stage.go(address(kind === "personal" ? null : space, panel, path, Object.fromEntries(query)), { replace: true });
    return false;
  }

  /**
   * An address in this space.
   * @param {string} panel @param {string[]} [path] @param {Parameters<typeof address>[3]} [query]
   */
  at(panel, path, query) {
    const { kind, id } = this.stage.space;
    return address(kind === "personal" ? null : id, panel, path, query);
  }
}

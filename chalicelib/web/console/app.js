/** The console: who is here, where they are, and the panel that shows it. */

import { Client } from "./client.js";
import { fill, h } from "./dom.js";
import { announce, dialog, sentence, trouble, waiting } from "./parts.js";
import { BASE, address, cited, read } from "./place.js";
import { failureInAddress, linkInAddress, open, present, ways } from "./signin.js";
import { language, maybe, switchLanguage, t } from "./texts.js";

/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./contract").Schemas} Schemas */

/** Each panel lies in a module of its own, fetched when it is first shown, and defines `acervo-<name>`. */
/** @type {Record<string, {load: () => Promise<unknown>, listed: boolean}>} */
const PANELS = {
  knowledge: { load: () => import("./knowledge.js"), listed: true },
  search: { load: () => import("./search.js"), listed: true },
  memory: { load: () => import("./memory.js"), listed: true },
  pages: { load: () => import("./pages.js"), listed: true },
  keys: { load: () => import("./keys.js"), listed: true },
  team: { load: () => import("./team.js"), listed: true },
  account: { load: () => import("./account.js"), listed: true },
  device: { load: () => import("./device.js"), listed: false },
};

class Console {
  constructor() {
    this.client = new Client();
    this.client.signIn = () => this.signInAgain();
    /** @type {Schemas["SpaceAnswer"][]} */
    this.spaces = [];
    /** @type {Schemas["ConsoleAnswer"]} */
    this.about = /** @type {any} */ ({ oidc: false });
    /** @type {{panel: Panel, name: string, space: string} | null} */
    this.shown = null;
    /** Where one is; going away from unsaved work can be called off. */
    this.here = location.href;
    /** @type {Promise<void> | null} */
    this.signing = null;
  }

  async start() {
    document.documentElement.lang = language;
    document.title = t("shell.title");
    const secret = linkInAddress();
    const failure = failureInAddress();
    try {
      this.about = await this.client.call("get", "/api/v1/console");
      this.client.session = await present(this.client);
      // A stranger's link would put whoever follows it into the stranger's account.
      const here = this.client.session;
      if (secret && (!here || window.confirm(t("signin.instead", { name: here.name })))) await open(this.client, { link: secret });
    } catch (fault) {
      return this.welcome(fault);
    }
    if (!this.client.session) return this.welcome(failure && t("signin.provider_failed", { why: maybe(`problems.${failure}`, { retry_after: 60 }) ?? "" }));
    await this.enter();
  }

  /** The page of those who are not signed in. @param {unknown} [fault] */
  welcome(fault) {
    const inside = h("main", { id: "main", class: "welcome" });
    document.body.replaceChildren(inside);
    fill(
      inside,
      h("h1", null, "Acervo"),
      h("p", { class: "lead" }, t("signin.lead")),
      ways(this.client, this.about, () => this.enter(), { fault }),
      h("p", null, h("button", { type: "button", class: "plain", onclick: switchLanguage }, t("shell.other_language"))),
    );
  }

  async enter() {
    document.body.replaceChildren(SHELL.content.cloneNode(true));
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.body.querySelectorAll("[data-text]"))) {
      each.textContent = maybe(each.dataset.text ?? "") ?? "";
    }
    find("#who").textContent = this.client.session?.name ?? "";
    find("#language").addEventListener("click", switchLanguage);
    find("#leave").addEventListener("click", () => this.leave());
    find("#find").addEventListener("submit", (event) => this.search(event));
    const words = /** @type {HTMLInputElement} */ (find("#words"));
    words.placeholder = t("shell.find");
    find("#space").addEventListener("change", () => {
      const id = /** @type {HTMLSelectElement} */ (find("#space")).value;
      this.go(address(this.personal(id) ? null : id, this.place().panel));
    });
    addEventListener("popstate", () => this.arrive());
    document.addEventListener("click", (event) => this.follow(event));
    addEventListener("beforeunload", (event) => {
      if (this.shown && !this.shown.panel.mayLeave()) event.preventDefault();
    });
    await this.arrive();
  }

  /** The spaces are asked for again now and then: somebody may have been let into one. */
  async reloadSpaces() {
    this.spaces = (await this.client.call("get", "/api/v1/spaces")).spaces;
    fill(
      find("#space"),
      this.spaces.map((each) => h("option", { value: each.id }, each.kind === "personal" ? t("shell.personal") : each.name)),
    );
  }

  /** @param {string} id */
  personal(id) {
    return this.spaces.some((each) => each.id === id && each.kind === "personal");
  }

  place() {
    return read(location.href);
  }

  /** Show what the address says. */
  async arrive() {
    if (this.shown && !this.shown.panel.mayLeave() && this.here !== location.href && !window.confirm(t("shell.unsaved"))) {
      history.pushState(null, "", this.here);
      return;
    }
    const here = (this.here = location.href);
    const place = this.place();
    const main = find("#main");
    try {
      const known = (/** @type {string} */ id) => this.spaces.some((each) => each.id === id);
      if (!this.spaces.length || (place.space && !known(place.space))) await this.reloadSpaces();
      if (this.here !== here) return; // one went on meanwhile
      const space = this.spaces.find((each) => (place.space ? each.id === place.space : each.kind === "personal"));
      if (!space) return this.lost(main, t("shell.no_space"));
      await this.present(place, space, main);
    } catch (fault) {
      if (this.here === here && !(fault instanceof DOMException && fault.name === "AbortError")) this.lost(main, sentence(fault));
    }
  }

  /** @param {Place} place @param {Schemas["SpaceAnswer"]} space @param {HTMLElement} main */
  async present(place, space, main) {
    const { here } = this;
    /** @type {HTMLSelectElement} */ (find("#space")).value = space.id;
    this.mark(place, space);
    const known = Object.hasOwn(PANELS, place.panel) ? PANELS[place.panel] : undefined;
    if (!known) return this.lost(main, t("shell.no_panel"));
    if (this.shown?.name === place.panel && this.shown.space === space.id) return this.turn(this.shown.panel, place, main);
    this.shown = null;
    fill(main, waiting());
    await known.load();
    if (this.here !== here) return;
    const panel = /** @type {Panel} */ (document.createElement(`acervo-${place.panel}`));
    panel.stage = {
      client: this.client,
      space,
      spaces: this.spaces,
      about: this.about,
      place: () => this.place(),
      go: (href, options) => this.go(href, options),
    };
    this.shown = { panel, name: place.panel, space: space.id };
    fill(main, panel);
    await this.turn(panel, place, main);
    document.title = `${t(/** @type {any} */ (`shell.${place.panel}`))} · Acervo`;
    announce(document.title);
  }

  /** Make a panel show a place. Who held a control holds its like, or else the heading. @param {Panel} panel @param {Place} place @param {HTMLElement} main */
  async turn(panel, place, main) {
    const held = main.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    await panel.turnTo(place);
    if (document.activeElement !== document.body) return;
    const like = held && main.querySelector(`[aria-label="${CSS.escape(held)}"]`);
    /** @type {HTMLElement | null} */ (like || main.querySelector("h1[tabindex]"))?.focus();
  }

  /** The panels, with the one that is shown marked. @param {Place} place @param {Schemas["SpaceAnswer"]} space */
  mark(place, space) {
    const where = space.kind === "personal" ? null : space.id;
    const shown = Object.keys(PANELS).filter((each) => PANELS[each]?.listed);
    fill(
      find("#panels"),
      h(
        "ul",
        { "aria-label": t("shell.panels") },
        shown.map((each) =>
          h(
            "li",
            null,
            h(
              "a",
              { href: address(where, each), "aria-current": each === place.panel ? "page" : null },
              t(/** @type {any} */ (`shell.${each}`)),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {HTMLElement} main @param {string} said */
  lost(main, said) {
    this.shown = null;
    fill(main, h("div", { class: "stack" }, h("h1", { tabindex: "-1" }, t("shell.lost")), trouble(said), h("p", null, h("a", { href: address(null, "knowledge") }, t("shell.back")))));
  }

  /** @param {string} href @param {{replace?: boolean}} [options] */
  go(href, options = {}) {
    if (options.replace) history.replaceState(null, "", href);
    else history.pushState(null, "", href);
    return this.arrive();
  }

  /** Links within the console do not fetch the page anew. @param {MouseEvent} event */
  follow(event) {
    const target = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(target instanceof HTMLAnchorElement) || event.defaultPrevented) return;
    const outside = target.target || target.hasAttribute("download") || !ours(target.href);
    if (outside || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (target.classList.contains("skip")) return find("#main").focus();
    this.go(target.href);
  }

  /** @param {Event} event */
  search(event) {
    event.preventDefault();
    const words = /** @type {HTMLInputElement} */ (find("#words")).value.trim();
    if (!words) return;
    const place = this.place();
    const citation = cited(words);
    if (citation) /** @type {HTMLFormElement} */ (find("#find")).reset();
    this.go(
      citation
        ? address(place.space, "knowledge", [`${citation.item}@${citation.revision}`])
        : address(place.space, "search", [], { q: words }),
    );
  }

  /** The session has ended in the middle of something: a new one over the page as it is. */
  signInAgain() {
    this.signing ??= new Promise((/** @type {(value: void) => void} */ resolve) => {
      const before = this.client.session?.user_id;
      dialog(
        t("signin.again"),
        (close) =>
          ways(
            this.client,
            this.about,
            () => {
              // Somebody else's page would be somebody else's work.
              if (before && this.client.session?.user_id !== before) return location.reload();
              close();
              resolve();
            },
            { again: true },
          ),
        { closable: false },
      );
    }).finally(() => (this.signing = null));
    return this.signing;
  }

  async leave() {
    if (this.shown && !this.shown.panel.mayLeave() && !window.confirm(t("shell.unsaved"))) return;
    await this.client.call("delete", "/api/v1/session");
    this.shown = null;
    location.replace(`${BASE}me`);
  }
}

/** @param {string} selector @returns {HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** @param {string} href */
function ours(href) {
  const url = new URL(href);
  const base = new URL(BASE);
  return url.origin === base.origin && (url.pathname === base.pathname || url.pathname === `${base.pathname}me`);
}

/** Kept, since the page of those who are not signed in takes its place. */
const SHELL = /** @type {HTMLTemplateElement} */ (find("template#shell"));

await new Console().start();

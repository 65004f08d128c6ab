/** What panels are made of: buttons, fields, dialogs, lists, and how trouble is told. */

import { Problem } from "./client.js";
import { fill, h, unique } from "./dom.js";
import { ago, maybe, moment, t } from "./texts.js";

/** @typedef {import("./dom.js").Children} Children */

/** What went wrong, as a sentence for people. @param {unknown} fault */
export function sentence(fault) {
  if (!(fault instanceof Problem)) {
    console.error(fault instanceof Error ? fault.name : "fault"); // never its text: it may quote what people wrote
    return t("problems.internal_error", { request_id: "–" });
  }
  const values = { ...fault.facts, retry_after: fault.wait ?? fault.facts.retry_after ?? 1 };
  const said = maybe(`problems.${fault.code}`, values) ?? fault.message;
  const mistakes = /** @type {{where: string, problem: string}[]} */ (fault.facts.errors ?? []);
  return [said, ...mistakes.map((each) => `${each.where}: ${each.problem}`)].join(" ");
}

/**
 * A button. While its work is under way it is busy and does nothing more; what goes wrong is told right after it.
 * @param {Children} text
 * @param {(event: Event) => unknown} work
 * @param {Record<string, any>} [given]
 */
export function button(text, work, given = {}) {
  const made = h("button", { type: "button", ...given }, text);
  made.addEventListener("click", (event) => busily(made, () => work(event)));
  return made;
}

/** @param {HTMLButtonElement} made @param {() => unknown} work */
export async function busily(made, work) {
  if (made.getAttribute("aria-busy") === "true") return;
  made.parentElement?.querySelector(`:scope > .trouble[data-of="${made.id || (made.id = unique("button"))}"]`)?.remove();
  made.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (fault) {
    const aborted = fault instanceof DOMException && fault.name === "AbortError";
    if (!aborted) made.after(trouble(fault, { data: { of: made.id } }));
  } finally {
    made.removeAttribute("aria-busy");
  }
}

/** A sentence of trouble, which is read out at once. @param {unknown} fault @param {Record<string, any>} [given] */
export function trouble(fault, given = {}) {
  return h("p", { class: "trouble", role: "alert", ...given }, typeof fault === "string" ? fault : sentence(fault));
}

/** @param {string} href @param {Children} text @param {Record<string, any>} [given] */
export const link = (href, text, given = {}) => h("a", { href, ...given }, text);

/**
 * A labelled control.
 * @param {string} label @param {HTMLElement} control @param {{hint?: Children, class?: string}} [more]
 */
export function field(label, control, more = {}) {
  control.id ||= unique("field");
  const hint = more.hint ? h("small", { id: unique("hint") }, more.hint) : null;
  if (hint) control.setAttribute("aria-describedby", hint.id);
  return h("div", { class: `field ${more.class ?? ""}`.trim() }, h("label", { for: control.id }, label), control, hint);
}

/** @param {Record<string, any>} [given] */
export const input = (given = {}) => h("input", { type: "text", autocomplete: "off", ...given });

/** @param {[string, string][]} options value and label @param {Record<string, any>} [given] */
export function select(options, given = {}) {
  const { value, ...rest } = given;
  const made = h("select", rest, options.map(([each, label]) => h("option", { value: each }, label)));
  if (value !== undefined) made.value = value;
  return made;
}

/** A box to tick with its label. @param {Children} label @param {Record<string, any>} [given] */
export function tick(label, given = {}) {
  const box = h("input", { type: "checkbox", ...given });
  return { box, row: h("label", { class: "tick" }, box, h("span", null, label)) };
}

/**
 * A form that does its work when it is sent, and says what went wrong at its end.
 * @param {(form: HTMLFormElement) => unknown} work @param {string} send what its button says @param {Children[]} parts
 */
export function form(work, send, ...parts) {
  const submit = h("button", { type: "submit" }, send);
  const actions = h("div", { class: "actions" }, submit);
  const made = h("form", { class: "stack" }, ...parts, actions);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    busily(submit, () => work(made));
  });
  return made;
}

/**
 * A dialog over the page, closed by Escape, by its button or by what its content calls. Focus goes back where it was.
 * @param {string} title
 * @param {(close: () => void) => Children} content
 * @param {{wide?: boolean, closable?: boolean}} [how]
 */
export function dialog(title, content, how = {}) {
  const closable = how.closable ?? true;
  const heading = h("h2", { id: unique("dialog") }, title);
  const made = h("dialog", { class: how.wide ? "wide" : "", "aria-labelledby": heading.id });
  const close = () => made.close();
  const shut = closable && h("button", { type: "button", class: "plain shut", "aria-label": t("parts.close"), onclick: close }, "×");
  fill(made, h("div", { class: "dialog-top" }, heading, shut), content(close));
  made.addEventListener("close", () => made.remove());
  made.addEventListener("cancel", (event) => closable || event.preventDefault());
  document.body.append(made);
  made.showModal();
  /** @type {HTMLElement | null} */ (made.querySelector("form :is(input, select, textarea)"))?.focus();
  return made;
}

/**
 * Ask before something that cannot be undone: the name has to be typed.
 * @param {{title: string, name: string, facts: Children, act: string, work: (typed: string) => unknown}} asked
 */
export function confirmByName({ title, name, facts, act, work }) {
  return dialog(title, (close) => {
    const typed = input({ required: true });
    const made = form(
      async () => {
        await work(typed.value);
        close();
      },
      act,
      facts,
      field(t("parts.type_name", { name }), typed),
    );
    const submit = /** @type {HTMLButtonElement} */ (made.querySelector("button[type=submit]"));
    submit.className = "danger";
    submit.disabled = true;
    typed.addEventListener("input", () => (submit.disabled = typed.value !== name));
    return made;
  });
}

/** Ask yes or no. @param {{title: string, text: Children, act: string, danger?: boolean, work: () => unknown}} asked */
export function confirm({ title, text, act, danger, work }) {
  return dialog(title, (close) => {
    const done = async () => {
      await work();
      close();
    };
    const yes = button(act, done, { class: danger ? "danger" : "" });
    const no = h("button", { type: "button", class: "plain", onclick: close }, t("parts.cancel"));
    return [h("div", null, text), h("div", { class: "actions" }, yes, no)];
  });
}

/** Said for those who do not see it. @param {string} text */
export function announce(text) {
  const status = document.querySelector("#status");
  if (status) status.textContent = text;
}

/** A short note that goes by itself. @param {string} text */
export function toast(text) {
  const made = h("p", { class: "toast" }, text);
  document.querySelector("#toasts")?.append(made);
  setTimeout(() => made.remove(), 6000);
}

/** @param {() => string} text @param {string} [label] */
export function copier(text, label = t("parts.copy")) {
  return button(label, async () => {
    await navigator.clipboard.writeText(text());
    toast(t("parts.copied"));
  }, { class: "plain" });
}

/** A moment, told by how long ago it was. @param {string} iso */
export const when = (iso) => h("time", { datetime: iso, title: moment(iso) }, ago(iso));

/** A small label. @param {string} text @param {string} [kind] good, bad, warn, quiet */
export const badge = (text, kind = "quiet") => h("span", { class: `badge ${kind}` }, text);

/** Nothing to show, and what to do. @param {Children[]} children */
export const empty = (...children) => h("div", { class: "empty" }, ...children);

/** While something is on its way. */
export const waiting = () => h("p", { class: "waiting" }, t("parts.waiting"));

/**
 * A list that comes page by page. `page` fetches one; `row` draws an element of it.
 * @template T
 * @param {object} asked
 * @param {(cursor: string | undefined) => Promise<{rows: T[], next: string | null}>} asked.page
 * @param {(row: T) => HTMLElement} asked.row
 * @param {Children} asked.none what is shown if there is nothing
 * @param {HTMLElement} [asked.list] where rows go; a `ul` by default
 */
export function listing({ page, row, none, list = h("ul", { class: "rows" }) }) {
  /** @type {string | undefined} */
  let cursor;
  const more = button(t("parts.more"), () => next(), { class: "plain", hidden: true });
  const foot = h("div", { class: "actions" }, more);
  const made = h("div", { class: "listing" }, list, foot);

  async function next() {
    const taken = await page(cursor);
    list.append(...taken.rows.map(row));
    cursor = taken.next ?? undefined;
    more.hidden = cursor === undefined;
    // A filtered page may be empty and still have a next one.
    if (cursor !== undefined && !list.childElementCount) await next();
    else if (!list.childElementCount) fill(made, none);
  }

  const ready = (async () => {
    const wait = waiting();
    made.prepend(wait);
    try {
      await next();
    } catch (fault) {
      if (!(fault instanceof DOMException && fault.name === "AbortError")) made.prepend(trouble(fault));
    } finally {
      wait.remove();
    }
  })();
  return { element: made, ready };
}

/** Tabs that are links: each has an address. @param {{href: string, text: string, here: boolean}[]} each @param {string} label */
export function tabs(each, label) {
  return h(
    "nav",
    { class: "tabs", "aria-label": label },
    each.map(({ href, text, here }) => h("a", { href, "aria-current": here ? "page" : null }, text)),
  );
}

/** The head of a panel: where one is, its name, what can be done. @param {{crumbs?: Children, title: Children, actions?: Children}} asked */
export function head({ crumbs, title, actions }) {
  return h(
    "div",
    { class: "head" },
    crumbs ? h("p", { class: "crumbs" }, crumbs) : null,
    h("div", { class: "head-row" }, h("h1", { tabindex: "-1" }, title), h("div", { class: "actions" }, actions ?? null)),
  );
}

/** Writing: Markdown beside its rendering. What is typed is kept on this machine until it is saved as a revision. */

import { Problem, once } from "./client.js";
import { drafts } from "./drafts.js";
import { fill, h } from "./dom.js";
import { render } from "./markdown.js";
import { announce, button, busily, field, input, sentence, toast, when } from "./parts.js";
import { number, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {Schemas["ItemAnswer"]} Item */

const ITEM = "/api/v1/knowledge/items/{item_id}";
const PAUSE_MS = 350;
/** Characters from which on the rendering is made when it is asked for, not while one types. */
const LONG = 200_000;

/** All of a revision. @param {Panel} panel @param {string} item @param {string} revision */
async function text(panel, item, revision) {
  const told = { path: { item_id: item, revision_id: revision }, headers: { accept: "text/markdown" }, signal: panel.gone.signal };
  return (await panel.client.fetch("get", `${ITEM}/revisions/{revision_id}`, told)).text();
}

/** Edit an item. @param {Panel} panel @param {HTMLElement} where @param {Item} item */
export async function edit(panel, where, item) {
  const content = await text(panel, item.id, item.current_revision_id);
  const { title, locator, current_revision_id: revision } = item;
  await new Editor(panel, where, item, null, { title, locator, content, revision, at: "" }).open();
}

/** Write a new item. @param {Panel} panel @param {HTMLElement} where @param {string} base id */
export async function write(panel, where, base) {
  await new Editor(panel, where, null, base, { title: "", locator: "", content: "", revision: null, at: "" }).open();
}

class Editor {
  /**
   * @param {Panel} panel @param {HTMLElement} where
   * @param {Item | null} item null for a new one
   * @param {string | null} base of a new one
   * @param {import("./drafts.js").Draft} saved what the server has
   */
  constructor(panel, where, item, base, saved) {
    this.panel = panel;
    this.where = where;
    this.item = item;
    this.base = base;
    this.saved = saved;
    this.kept = drafts(panel.client.session?.user_id ?? "");
    this.of = item?.id ?? `new:${base}`;
    this.title = input({ required: true, maxlength: 300, value: saved.title });
    this.locator = input({ maxlength: 500, value: saved.locator, class: "mono", spellcheck: "false" });
    this.content = h("textarea", { class: "mono source", value: saved.content, spellcheck: "true", rows: 16 });
    this.preview = h("article", { class: "prose card preview", tabindex: "0", "aria-label": t("editor.preview") });
    this.state = h("span", { class: "quiet", role: "status" });
    this.notes = h("div", { class: "stack" });
    /**
     * What was sent last, and the key that makes sending it again safe: the answer may have been lost.
     * @type {{title: string, locator: string, content: string}}
     */
    this.sent = saved;
    this.once = once();
    this.publishing = once();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {AbortController | undefined} */
    this.rendering = undefined;
  }

  async open() {
    const { panel } = this;
    const save = button([t("parts.save"), h("kbd", { "aria-hidden": "true" }, shortcut())], () => this.save());
    const publishes = this.item?.status !== "published";
    const publish = publishes ? button(t("editor.save_publish"), () => this.save(true), { class: "plain" }) : null;
    this.buttons = { save };
    fill(
      this.where,
      this.notes,
      h("div", { class: "columns" }, field(t("editor.name"), this.title), field(t("editor.locator"), this.locator, { hint: t("editor.locator_hint") })),
      h("div", { class: "actions bar" }, save, publish, button(t("editor.discard"), () => this.discard(), { class: "plain" }), this.state),
      h(
        "div",
        { class: "halves" },
        field(t("editor.text"), this.content),
        h("div", { class: "field" }, h("span", { class: "label" }, t("editor.preview")), this.preview),
      ),
    );
    for (const each of [this.title, this.locator, this.content]) each.addEventListener("input", () => this.typed());
    document.addEventListener("keydown", (event) => this.key(event), { signal: panel.gone.signal });
    await this.recall();
    await this.show();
  }

  /** What was typed before and not saved comes back. */
  async recall() {
    const draft = await this.kept.get(this.of).catch(() => undefined);
    if (!draft || same(draft, this.saved)) return;
    [this.title.value, this.locator.value, this.content.value] = [draft.title, draft.locator, draft.content];
    // Saving it will meet whatever was saved meanwhile, and ask.
    this.saved = { ...this.saved, revision: draft.revision };
    fill(this.notes, h("p", { class: "note" }, t("editor.recalled"), " ", when(draft.at)));
    this.tell();
  }

  now() {
    return { title: this.title.value, locator: this.locator.value, content: this.content.value };
  }

  dirty() {
    return !same(this.now(), this.saved);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show().catch(() => {}), PAUSE_MS);
    this.keep();
    this.tell();
  }

  /** Kept at once; what cannot be kept is said, for then a reload would lose it. */
  keep() {
    const draft = { ...this.now(), revision: this.saved.revision, at: new Date().toISOString() };
    this.kept.put(this.of, draft).catch(() => fill(this.notes, h("p", { class: "note warn" }, t("editor.not_kept"))));
  }

  tell() {
    fill(this.state, this.dirty() ? t("editor.unsaved") : this.saved.at ? [t("editor.saved_at"), " ", when(this.saved.at)] : "");
  }

  /** Render what there is. A long text is rendered when one asks. @param {boolean} [asked] */
  async show(asked = false) {
    const markdown = this.content.value;
    if (markdown.length > LONG && !asked) {
      fill(this.preview, h("p", { class: "quiet" }, t("editor.long", { n: markdown.length })), button(t("editor.render"), () => this.show(true), { class: "plain" }));
      return;
    }
    this.rendering?.abort();
    this.rendering = new AbortController();
    try {
      const told = { body: { markdown }, signal: this.rendering.signal };
      const { html, next_offset } = await this.panel.client.call("post", "/api/v1/render", told);
      render(this.preview, html);
      if (next_offset !== null) this.preview.append(h("p", { class: "quiet" }, t("editor.cut", { n: number(next_offset) })));
    } catch (fault) {
      if (fault instanceof Problem) fill(this.preview, h("p", { class: "quiet" }, sentence(fault)));
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey) || event.altKey) return;
    event.preventDefault();
    if (this.buttons) busily(this.buttons.save, () => this.save());
  }

  /** @param {boolean} [publish] */
  async save(publish = false) {
    if (!this.title.reportValidity()) return;
    const sent = this.now();
    if (!same(sent, this.sent)) this.once = once();
    this.sent = sent;
    let item;
    try {
      item = this.item ? await this.change(this.item, sent) : await this.create(sent);
    } catch (fault) {
      if (fault instanceof Problem && fault.code === "stale_revision") return this.conflict();
      throw fault;
    }
    const isNew = this.item === null;
    this.item = item;
    this.once = once();
    this.saved = { ...sent, title: item.title, locator: item.locator, revision: item.current_revision_id, at: item.updated_at };
    // What was typed while it was being saved is not saved.
    if (same(this.now(), sent)) {
      this.locator.value = item.locator;
      await this.kept.drop(this.of).catch(() => {});
    } else this.keep();
    if (publish) await this.panel.client.call("post", `${ITEM}/publish`, { path: { item_id: item.id }, headers: this.publishing });
    fill(this.notes);
    this.tell();
    announce(t("editor.saved", { n: item.current_revision_number }));
    toast(t(publish ? "editor.published" : "editor.saved", { n: item.current_revision_number }));
    const at = this.panel.at("knowledge", publish ? [item.id] : [item.id, "edit"]);
    if (publish || isNew) await this.panel.stage.go(at, { replace: isNew });
  }

  /** @param {Item} item @param {{title: string, locator: string, content: string}} sent */
  change(item, sent) {
    const body = {
      expected_revision_id: this.saved.revision,
      content: sent.content,
      ...(sent.title === this.saved.title ? {} : { title: sent.title }),
      ...(sent.locator === this.saved.locator ? {} : { locator: sent.locator }),
    };
    return this.panel.client.call("patch", ITEM, { path: { item_id: item.id }, body, headers: this.once });
  }

  /** @param {{title: string, locator: string, content: string}} sent */
  create(sent) {
    const body = { title: sent.title, content: sent.content, locator: sent.locator || null };
    const told = { path: { base_id: this.base }, body, headers: this.once };
    return this.panel.client.call("post", "/api/v1/knowledge/bases/{base_id}/items", told);
  }

  /** Somebody else saved first: both sides, and what becomes of them. */
  async conflict() {
    const { resolve } = await import("./conflict.js");
    const item = /** @type {Item} */ (this.item);
    const sent = this.now();
    const answered = await this.panel.client.call("post", `${ITEM}/merge`, {
      path: { item_id: item.id },
      body: { expected_revision_id: this.saved.revision, content: sent.content },
    });
    const theirs = () => text(this.panel, item.id, answered.current.id);
    resolve(answered, sent.content, theirs, async (content) => {
      this.content.value = content;
      this.saved = { ...this.saved, revision: answered.current.id };
      this.keep();
      await this.save();
      await this.show();
    });
  }

  async discard() {
    if (!this.dirty() || window.confirm(t("editor.discard_text"))) {
      await this.kept.drop(this.of).catch(() => {});
      const where = this.item ? [this.item.id] : [this.base ?? ""];
      await this.panel.stage.go(this.panel.at("knowledge", where));
    }
  }
}

/** @param {{title: string, locator: string, content: string}} one @param {{title: string, locator: string, content: string}} other */
const same = (one, other) => one.title === other.title && one.locator === other.locator && one.content === other.content;

const shortcut = () => (navigator.userAgent.includes("Mac") ? "⌘S" : "Ctrl+S");

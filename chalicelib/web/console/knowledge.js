/** Bases and their items; what one item is shown as lies in item.js. */

import { once } from "./client.js";
import { fill, h } from "./dom.js";
import { KINDS, show } from "./item.js";
import { Panel } from "./panel.js";
import { badge, button, confirm, confirmByName, dialog, empty, field, form, head, input, link, listing, select, toast, when } from "./parts.js";
import { t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {Schemas["BaseAnswer"]} Base */
/** @typedef {Schemas["ItemAnswer"]} Item */

const STATUSES = /** @type {const} */ (["", "draft", "published", "archived"]);
const ORDERS = /** @type {const} */ (["created", "updated", "title"]);

class Knowledge extends Panel {
  /** @param {Place} place */
  async show(place) {
    const [first = "", ...rest] = place.path;
    if (!first) return this.bases();
    if (first === "purges") return this.receipt(rest[0] ?? "");
    if (first.startsWith("kb_")) return this.within(first, rest[0] ?? "", place.query);
    return show(this, place);
  }

  bases() {
    const may = this.may("base:admin") && this.has("knowledge:write");
    const add = may ? button(t("knowledge.new_base"), () => this.makeBase()) : null;
    const query = { space: this.stage.space.id, limit: 50 };
    const list = listing({
      page: async (cursor) => {
        const told = { query: { ...query, cursor }, signal: this.gone.signal };
        const { bases, next_cursor } = await this.client.call("get", "/api/v1/knowledge/bases", told);
        return { rows: bases, next: next_cursor };
      },
      row: (base) => this.baseRow(base),
      none: empty(t(may ? "knowledge.no_bases" : "knowledge.no_bases_here"), may ? button(t("knowledge.new_base"), () => this.makeBase()) : null),
    });
    fill(this, head({ title: t("knowledge.title"), actions: add }), list.element);
    return list.ready;
  }

  /** @param {Base} base */
  baseRow(base) {
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        link(this.at("knowledge", [base.id]), h("strong", null, base.name)),
        base.description ? h("div", { class: "quiet clamp" }, base.description) : null,
      ),
      base.status === "archived" ? badge(t("knowledge.archived")) : null,
      h("small", null, when(base.updated_at)),
    );
  }

  makeBase() {
    const name = input({ required: true, maxlength: 200 });
    const description = h("textarea", { rows: 3, maxlength: 2000 });
    const headers = once();
    dialog(t("knowledge.new_base"), (close) =>
      form(
        async () => {
          const body = { space_id: this.stage.space.id, name: name.value, description: description.value };
          const made = await this.client.call("post", "/api/v1/knowledge/bases", { body, headers });
          close();
          this.stage.go(this.at("knowledge", [made.id]));
        },
        t("knowledge.create"),
        field(t("knowledge.name"), name),
        field(t("knowledge.description"), description),
      ),
    );
  }

  /** @param {string} id @param {URLSearchParams} query */
  async base(id, query) {
    const path = { base_id: id };
    const base = await this.client.call("get", "/api/v1/knowledge/bases/{base_id}", { path, signal: this.gone.signal });
    if (!this.isHere(base.space_id)) return;
    const may = { write: this.may("item:write") && this.has("knowledge:write"), admin: this.may("base:admin") && this.has("knowledge:write") };
    const active = base.status === "active";
    const actions = [
      active && may.write ? link(this.at("knowledge", [id, "new"]), t("knowledge.new_item"), { class: "button" }) : null,
      active && may.write ? link(this.at("knowledge", [id, "files"]), t("knowledge.bring"), { class: "button plain" }) : null,
      may.admin ? button(t("knowledge.rename"), () => this.rename(base), { class: "plain" }) : null,
      may.admin ? button(t(active ? "knowledge.archive" : "knowledge.restore"), () => this.move(base), { class: "plain" }) : null,
      may.admin ? button(t("knowledge.delete"), () => this.removeBase(base), { class: "plain" }) : null,
    ];
    const items = this.items(base, query);
    fill(
      this,
      head({ crumbs: link(this.at("knowledge"), t("knowledge.title")), title: base.name, actions }),
      base.description ? h("p", { class: "lead" }, base.description) : null,
      active ? null : h("p", { class: "note warn" }, t("knowledge.base_archived")),
      items.element,
    );
    return items.ready;
  }

  /** @param {Base} base @param {URLSearchParams} query */
  items(base, query) {
    const wanted = { status: query.get("status") ?? "", contains: query.get("contains") ?? "", sort: query.get("sort") ?? "created" };
    const words = input({ type: "search", value: wanted.contains, maxlength: 200, placeholder: t("knowledge.contains"), "aria-label": t("knowledge.contains") });
    const status = select(STATUSES.map((each) => [each, t(`knowledge.${each || "all"}`)]), { value: wanted.status, "aria-label": t("knowledge.filter") });
    const sort = select(ORDERS.map((each) => [each, t(`knowledge.by_${each}`)]), { value: wanted.sort, "aria-label": t("knowledge.sort") });
    const filter = h("form", { class: "actions" }, words, status, sort, h("button", { type: "submit", class: "plain" }, t("knowledge.show")));
    const go = () => this.stage.go(this.at("knowledge", [base.id], { status: status.value, contains: words.value.trim(), sort: sort.value === "created" ? "" : sort.value }));
    filter.addEventListener("submit", (event) => {
      event.preventDefault();
      go();
    });
    for (const each of [status, sort]) each.addEventListener("change", go);
    const counted = h("p", { class: "quiet" });
    this.count(base, counted);
    const list = listing({
      page: async (cursor) => {
        const told = { path: { base_id: base.id }, query: { ...wanted, cursor, limit: 50 }, signal: this.gone.signal };
        const { items, next_cursor } = await this.client.call("get", "/api/v1/knowledge/bases/{base_id}/items", told);
        return { rows: items, next: next_cursor };
      },
      row: (item) => this.itemRow(item),
      none: empty(t(wanted.status || wanted.contains ? "knowledge.none_such" : "knowledge.no_items")),
    });
    return { element: h("div", { class: "stack" }, filter, counted, list.element), ready: list.ready };
  }

  /** What is in a base. @param {Base} base */
  counts(base) {
    return this.client.call("get", "/api/v1/knowledge/bases/{base_id}/counts", { path: { base_id: base.id }, signal: this.gone.signal });
  }

  /** Told beside the list; the list does not wait for it. @param {Base} base @param {HTMLElement} where */
  async count(base, where) {
    const found = await this.counts(base).catch(() => null);
    if (found) fill(where, t(found.at_least ? "knowledge.counted_at_least" : "knowledge.counted", { ...found.items, revisions: found.revisions }));
  }

  /** @param {Item} item */
  itemRow(item) {
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        link(this.at("knowledge", [item.id]), h("strong", null, item.title)),
        h("div", { class: "quiet mono" }, item.locator),
      ),
      badge(t(/** @type {any} */ (`knowledge.${item.status}`)), KINDS[item.status]),
      h("small", null, t("knowledge.revision", { n: item.current_revision_number }), " · ", when(item.updated_at)),
    );
  }

  /** @param {Base} base */
  rename(base) {
    const name = input({ required: true, maxlength: 200, value: base.name });
    const description = h("textarea", { rows: 3, maxlength: 2000, value: base.description });
    dialog(t("knowledge.rename"), (close) =>
      form(
        async () => {
          const body = { name: name.value, description: description.value };
          await this.client.call("patch", "/api/v1/knowledge/bases/{base_id}", { path: { base_id: base.id }, body });
          close();
          toast(t("parts.saved"));
          await this.stage.go(this.at("knowledge", [base.id]), { replace: true });
        },
        t("parts.save"),
        field(t("knowledge.name"), name),
        field(t("knowledge.description"), description),
      ),
    );
  }

  /** @param {Base} base */
  move(base) {
    const archives = base.status === "active";
    const act = t(archives ? "knowledge.archive" : "knowledge.restore");
    confirm({
      title: act,
      text: t(archives ? "knowledge.archive_base_text" : "knowledge.restore_base_text", { name: base.name }),
      act,
      work: async () => {
        const told = { path: { base_id: base.id }, headers: once() };
        if (archives) await this.client.call("post", "/api/v1/knowledge/bases/{base_id}/archive", told);
        else await this.client.call("post", "/api/v1/knowledge/bases/{base_id}/restore", told);
        await this.stage.go(this.at("knowledge", [base.id]), { replace: true });
      },
    });
  }

  /** @param {Base} base */
  async removeBase(base) {
    const { items, revisions, documents } = await this.counts(base);
    const all = items.draft + items.published + items.archived;
    confirmByName({
      title: t("knowledge.delete"),
      name: base.name,
      facts: h("p", { class: "note warn" }, t("knowledge.delete_base_text", { items: all, revisions, documents: documents ?? 0 })),
      act: t("knowledge.delete"),
      work: async (confirm) => {
        const path = { base_id: base.id };
        const purge = await this.client.call("delete", "/api/v1/knowledge/bases/{base_id}", { path, body: { confirm } });
        this.stage.go(this.at("knowledge", ["purges", purge.id]));
      },
    });
  }

  /** @param {string} base @param {string} what @param {URLSearchParams} query */
  async within(base, what, query) {
    const writes = this.may("item:write") && this.has("knowledge:write");
    if (what === "files" && writes) return (await import("./files.js")).show(this, base);
    if (what === "new" && writes) return this.write(base);
    return this.base(base, query);
  }

  /** A new item. @param {string} id of its base */
  async write(id) {
    const { write } = await import("./editor.js");
    const base = await this.client.call("get", "/api/v1/knowledge/bases/{base_id}", { path: { base_id: id }, signal: this.gone.signal });
    if (!this.isHere(base.space_id)) return;
    const crumbs = [link(this.at("knowledge"), t("knowledge.title")), " / ", link(this.at("knowledge", [id]), base.name)];
    const body = h("div", { class: "stack" });
    fill(this, head({ crumbs, title: t("knowledge.new_item") }), body);
    return write(this, body, id);
  }

  /** How far a deletion is, and then what it removed. @param {string} id */
  async receipt(id) {
    const told = { path: { purge_id: id }, signal: this.gone.signal };
    const body = h("div", { class: "card stack", "aria-live": "polite" });
    fill(this, head({ crumbs: link(this.at("knowledge"), t("knowledge.title")), title: t("knowledge.receipt") }), body);
    for (;;) {
      const purge = await this.client.call("get", "/api/v1/knowledge/purges/{purge_id}", told);
      const { items, revisions, objects, passages, documents } = purge.removed;
      const running = purge.status === "running";
      fill(
        body,
        running ? h("progress", { "aria-label": t("knowledge.receipt") }) : badge(t("knowledge.gone"), "good"),
        h("p", null, t("knowledge.removed", { items, revisions, objects, passages, documents })),
        h("p", { class: "quiet" }, purge.finished_at ? when(purge.finished_at) : t("knowledge.removing")),
      );
      if (!running) return;
      await this.pause(1500);
    }
  }
}

customElements.define("acervo-knowledge", Knowledge);

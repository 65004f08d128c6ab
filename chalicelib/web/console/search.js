/** Searching as agents do: four modes, what each half of the search gave, and the same search as a call to copy. */

import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { copier, empty, field, head, input, link, select, tick, trouble, waiting } from "./parts.js";
import { BASE } from "./place.js";
import { number, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["HitAnswer"]} Hit */
/** @typedef {Schemas["SearchAnswer"]} Found */
/** @typedef {{q: string, mode: string, alpha: number, base: string, beside: boolean}} Wanted */

const MODES = /** @type {const} */ (["hybrid", "rrf", "semantic", "lexical"]);
const MANY = 10;

class Search extends Panel {
  /** @type {Map<string, string> | undefined} names of bases by id */
  bases = undefined;

  /** @param {import("./place.js").Place} place */
  async show(place) {
    const wanted = {
      q: place.query.get("q") ?? "",
      mode: place.query.get("mode") ?? "hybrid",
      alpha: Number(place.query.get("alpha") ?? 0.5),
      base: place.query.get("base") ?? "",
      beside: place.query.has("beside"),
    };
    this.bases ??= await this.names();
    this.results = h("div", { class: "stack", "aria-live": "polite" });
    fill(this, head({ title: t("search.title") }), this.form(wanted), this.results);
    if (wanted.q) await this.search(wanted);
  }

  async names() {
    const rows = await this.client.all(async (cursor) => {
      const query = { space: this.stage.space.id, cursor, limit: 100 };
      const { bases, next_cursor } = await this.client.call("get", "/api/v1/knowledge/bases", { query, signal: this.gone.signal });
      return { rows: bases, next: next_cursor };
    }, 500);
    return new Map(rows.map((each) => [each.id, each.name]));
  }

  /** @param {Wanted} wanted */
  form(wanted) {
    const q = input({ type: "search", required: true, maxlength: 2000, value: wanted.q });
    const mode = select(MODES.map((each) => [each, t(`search.${each}`)]), { value: wanted.mode });
    const alpha = input({ type: "range", min: 0, max: 1, step: 0.05, value: wanted.alpha });
    const base = select([["", t("search.all_bases")], .../** @type {[string, string][]} */ ([...(this.bases ?? [])])], { value: wanted.base });
    const beside = tick(t("search.beside"), { checked: wanted.beside });
    const slider = h("div", { class: "slider" }, h("span", null, t("search.meaning")), alpha, h("span", null, t("search.words")));
    const weight = field(t("search.alpha"), slider);
    alpha.setAttribute("aria-label", t("search.alpha_spoken"));
    alpha.addEventListener("input", () => alpha.setAttribute("aria-valuetext", t("search.share", { words: Math.round(Number(alpha.value) * 100) })));
    const shown = () => (weight.hidden = mode.value !== "hybrid" && !beside.box.checked);
    mode.addEventListener("change", shown);
    beside.box.addEventListener("change", shown);
    shown();
    const made = h(
      "form",
      { class: "card stack", role: "search", "aria-label": t("search.title") },
      h("div", { class: "actions" }, h("div", { class: "grow" }, field(t("search.query"), q)), h("button", { type: "submit", class: "low" }, t("search.title"))),
      h("div", { class: "columns three" }, field(t("search.mode"), mode), weight, field(t("search.base"), base)),
      beside.row,
    );
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      const query = { q: q.value.trim(), mode: mode.value, alpha: alpha.value, base: base.value, beside: beside.box.checked };
      this.stage.go(this.at("search", [], query));
    });
    return made;
  }

  /** @param {Wanted} wanted @param {string} mode */
  body({ q, alpha, base }, mode) {
    return {
      query: q,
      mode,
      ...(mode === "hybrid" ? { alpha } : {}),
      max_results: MANY,
      ...(base ? { knowledge_base_id: base } : { space: this.stage.space.id }),
    };
  }

  /** @param {Wanted} wanted */
  async search(wanted) {
    const where = /** @type {HTMLElement} */ (this.results);
    fill(where, waiting());
    const modes = wanted.beside ? MODES : [wanted.mode];
    const columns = await Promise.all(modes.map((mode) => this.column(wanted, mode)));
    fill(
      where,
      wanted.beside ? h("div", { class: "beside" }, columns) : columns,
      this.calls(wanted),
    );
  }

  /** What one mode finds. @param {Wanted} wanted @param {string} mode */
  async column(wanted, mode) {
    const title = wanted.beside ? h("h2", null, t(/** @type {any} */ (`search.${mode}`))) : null;
    try {
      const body = { ...this.body(wanted, mode), highlight: true };
      const found = /** @type {Found} */ (await this.client.call("post", "/api/v1/knowledge/search", { body, signal: this.gone.signal }));
      const list = h("ol", { class: "rows hits" }, found.results.map((hit) => this.hit(hit, wanted.beside)));
      return h("section", { class: "stack" }, title, this.degraded(found), found.results.length ? list : empty(t("search.none")));
    } catch (fault) {
      if (fault instanceof DOMException) throw fault; // one went on meanwhile
      return h("section", { class: "stack" }, title, trouble(fault));
    }
  }

  /** @param {Found} found */
  degraded(found) {
    if (!found.degraded) return null;
    const said = t(/** @type {any} */ (`search.${found.degraded.reason}`));
    return h("p", { class: "note warn" }, said, " ", t("search.instead", { mode: t(`search.${found.mode_used}`) }));
  }

  /** @param {Hit} hit @param {boolean} short */
  hit(hit, short) {
    const path = [this.bases?.get(hit.knowledge_base_id), ...hit.heading_path].filter(Boolean).join(" › ");
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow stack tight" },
        h("div", null, link(this.at("knowledge", [`${hit.knowledge_item_id}@${hit.knowledge_revision_id}`]), h("strong", null, marked(hit.title, hit.matched?.title ?? [])))),
        path ? h("small", null, path) : null,
        h("p", { class: short ? "passage clamp" : "passage" }, marked(hit.content, hit.matched?.content ?? [])),
        h(
          "div",
          { class: "bars" },
          bar(t("search.score"), hit.score),
          bar(t("search.words"), hit.explain.lexical),
          bar(t("search.meaning"), hit.explain.semantic),
        ),
        short ? null : h("div", { class: "actions" }, h("code", { class: "citation" }, hit.reference), copier(() => hit.reference, t("knowledge.copy_citation"))),
      ),
    );
  }

  /** The same search for a developer. @param {Wanted} wanted */
  calls(wanted) {
    const body = this.body(wanted, wanted.mode);
    const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
    const curl = `curl -s '${BASE}api/v1/knowledge/search' \\\n  -H "Authorization: Bearer $ACERVO_TOKEN" -H 'Content-Type: application/json' \\\n  -d '${quoted}'`;
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search_knowledge", arguments: body } };
    const mcp = JSON.stringify(call, null, 2);
    return h(
      "details",
      null,
      h("summary", null, t("search.as_call")),
      h("pre", { class: "code", tabindex: "0" }, curl),
      copier(() => curl, t("search.copy_curl")),
      h("pre", { class: "code", tabindex: "0" }, mcp),
      copier(() => mcp, t("search.copy_mcp")),
    );
  }
}

/** @param {string} label @param {number | null} share */
function bar(label, share) {
  const told = share === null ? "–" : number(Math.round(share * 100) / 100);
  const meter = h("meter", { value: share ?? 0, min: 0, max: 1, "aria-label": `${label}: ${told}` });
  return h("div", { class: "bar-row" }, h("span", null, label), meter, h("span", null, told));
}

/** A text with the stretches that matched marked; the server counts code points. @param {string} text @param {[number, number][] | number[][]} spans */
function marked(text, spans) {
  const points = Array.from(text);
  /** @type {import("./dom.js").Child[]} */
  const pieces = [];
  let at = 0;
  for (const [start = 0, end = 0] of spans) {
    pieces.push(points.slice(at, start).join(""), h("mark", null, points.slice(start, end).join("")));
    at = end;
  }
  return [...pieces, points.slice(at).join("")];
}

customElements.define("acervo-search", Search);

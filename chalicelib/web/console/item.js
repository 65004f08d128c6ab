/** One item: read at any of its revisions, moved through its life, cited, deleted for good. */

import { once } from "./client.js";
import { fill, h } from "./dom.js";
import { render } from "./markdown.js";
import { badge, button, confirm, confirmByName, copier, head, link, tabs, toast, when } from "./parts.js";
import { t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {Schemas["ItemAnswer"]} Item */

/** @type {Record<string, string>} */
export const KINDS = { published: "good", draft: "warn", archived: "quiet" };

const ITEM = "/api/v1/knowledge/items/{item_id}";
/** Which moves there are from a status, each with its route. */
const MOVES = /** @type {const} */ ({
  draft: ["publish", "archive"],
  published: ["withdraw", "archive"],
  archived: ["restore"],
});

/** Show the item that a place names. @param {Panel} panel @param {Place} place */
export async function show(panel, place) {
  const [named = "", tab = ""] = place.path;
  const [id = "", revision = ""] = named.split("@");
  const item = await panel.client.call("get", ITEM, { path: { item_id: id }, signal: panel.gone.signal });
  if (!panel.isHere(item.space_id)) return;
  const base = await panel.client.call("get", "/api/v1/knowledge/bases/{base_id}", {
    path: { base_id: item.knowledge_base_id },
    signal: panel.gone.signal,
  });
  const body = h("div", { class: "stack" });
  fill(panel, top(panel, item, base), body);
  if (tab === "edit" && mayWrite(panel, item)) {
    const { edit } = await import("./editor.js");
    return edit(panel, body, item);
  }
  if (tab === "history") {
    const { history } = await import("./history.js");
    return history(panel, body, item, place.query);
  }
  return read(panel, body, item, revision || item.current_revision_id);
}

/** @param {Panel} panel @param {Item} item */
const mayWrite = (panel, item) => panel.may("item:write") && panel.has("knowledge:write") && item.status !== "archived";

/** @param {Panel} panel @param {Item} item @param {Schemas["BaseAnswer"]} base */
function top(panel, item, base) {
  const crumbs = [
    link(panel.at("knowledge"), t("knowledge.title")),
    " / ",
    link(panel.at("knowledge", [base.id]), base.name),
    h("span", { class: "mono" }, ` / ${item.locator}`),
  ];
  const moves = panel.may("item:write") && panel.has("knowledge:write") && base.status === "active" ? MOVES[item.status] : [];
  const actions = [
    badge(t(`knowledge.${item.status}`), KINDS[item.status]),
    moves.map((each) => button(t(`knowledge.${each}`), () => move(panel, item, each), { class: each === "publish" ? "" : "plain" })),
    panel.may("item:delete") && panel.has("knowledge:write")
      ? button(t("knowledge.delete"), () => remove(panel, item), { class: "plain" })
      : null,
  ].flat();
  const tab = panel.stage.place().path[1] ?? "";
  const at = (/** @type {string[]} */ ...rest) => panel.at("knowledge", [item.id, ...rest]);
  return [
    base.status === "archived" ? h("p", { class: "note warn" }, t("knowledge.base_archived")) : null,
    head({ crumbs, title: item.title, actions }),
    tabs(
      [
        { href: at(), text: t("knowledge.read"), here: tab === "" },
        ...(mayWrite(panel, item) ? [{ href: at("edit"), text: t("knowledge.write"), here: tab === "edit" }] : []),
        { href: at("history"), text: t("knowledge.history"), here: tab === "history" },
      ],
      item.title,
    ),
  ].flat();
}

/** @param {Panel} panel @param {Item} item @param {"publish" | "withdraw" | "archive" | "restore"} step */
async function move(panel, item, step) {
  const told = { path: { item_id: item.id }, headers: once() };
  const work = async () => {
    if (step === "publish") await panel.client.call("post", `${ITEM}/publish`, told);
    if (step === "withdraw") await panel.client.call("post", `${ITEM}/withdraw`, told);
    if (step === "archive") await panel.client.call("post", `${ITEM}/archive`, told);
    if (step === "restore") await panel.client.call("post", `${ITEM}/restore`, told);
    toast(t(`knowledge.done_${step}`));
    await panel.stage.go(panel.at("knowledge", [item.id]), { replace: true });
  };
  if (step === "publish" || step === "restore") return work();
  confirm({ title: t(`knowledge.${step}`), text: t(`knowledge.${step}_text`, { title: item.title }), act: t(`knowledge.${step}`), work });
}

/** @param {Panel} panel @param {Item} item */
async function remove(panel, item) {
  const { revisions, documents } = await panel.client.call("get", `${ITEM}/counts`, { path: { item_id: item.id } });
  confirmByName({
    title: t("knowledge.delete"),
    name: item.title,
    facts: h("p", { class: "note warn" }, t("knowledge.delete_item_text", { revisions, documents: documents ?? 0 })),
    act: t("knowledge.delete"),
    work: async (confirm) => {
      const purge = await panel.client.call("delete", ITEM, { path: { item_id: item.id }, body: { confirm } });
      panel.stage.go(panel.at("knowledge", ["purges", purge.id]));
    },
  });
}

/** @param {Panel} panel @param {HTMLElement} body @param {Item} item @param {string} revision */
async function read(panel, body, item, revision) {
  const prose = h("article", { class: "prose card", lang: "" });
  const told = h("div", { class: "actions" });
  fill(body, told, prose);
  await stretch(panel, item, revision, prose, told, 0);
}

/** Render a stretch, and the next ones when one gets there. @param {Panel} panel @param {Item} item @param {string} revision @param {HTMLElement} prose @param {HTMLElement} told @param {number} offset */
async function stretch(panel, item, revision, prose, told, offset) {
  const shown = await panel.client.call("get", `${ITEM}/revisions/{revision_id}/html`, {
    path: { item_id: item.id, revision_id: revision },
    query: { offset: offset || undefined },
    signal: panel.gone.signal,
  });
  if (!offset) fill(told, facts(panel, item, shown.revision));
  const piece = h("div");
  render(piece, shown.html);
  prose.append(...piece.childNodes);
  const next = shown.next_offset;
  if (next === null) return;
  const more = button(t("parts.more"), () => onward(), { class: "plain" });
  const onward = async () => {
    watch.disconnect();
    await stretch(panel, item, revision, prose, told, next);
    more.remove();
  };
  const watch = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && more.click());
  prose.append(more);
  watch.observe(more);
}

/** Which revision this is, who made it, and how it is cited. @param {Panel} panel @param {Item} item @param {Schemas["RevisionAnswer"]} revision */
function facts(panel, item, revision) {
  const current = revision.id === item.current_revision_id;
  const who = revision.provenance.author_name ?? revision.provenance.author;
  return [
    badge(t("knowledge.revision", { n: revision.number }), current ? "good" : "warn"),
    current ? null : link(panel.at("knowledge", [item.id]), t("knowledge.older", { n: item.current_revision_number })),
    h("span", { class: "quiet" }, t("knowledge.by", { who }), " · ", when(revision.created_at)),
    h("span", { class: "cite" }, h("code", { class: "citation" }, revision.reference), copier(() => revision.reference, t("knowledge.copy_citation"))),
  ];
}

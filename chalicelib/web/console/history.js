/** The revisions of an item: a timeline, any two compared, an old one made current again, each with its citation. */

import { fill, h } from "./dom.js";
import { compared } from "./difference.js";
import { badge, button, confirm, copier, link, listing, toast, trouble, waiting, when } from "./parts.js";
import { moment, size, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {Schemas["ItemAnswer"]} Item */
/** @typedef {Schemas["RevisionAnswer"]} Revision */

const REVISIONS = "/api/v1/knowledge/items/{item_id}/revisions";

/** @param {Panel} panel @param {HTMLElement} where @param {Item} item @param {URLSearchParams} query */
export async function history(panel, where, item, query) {
  const [from, to] = [query.get("from"), query.get("to")];
  const difference = h("section", { class: "stack", "aria-live": "polite" });
  const compare = button(t("history.compare"), () => chosen(panel, item, list.element), { class: "plain" });
  const list = listing({
    list: h("ol", { class: "rows timeline" }),
    page: async (cursor) => {
      const told = { path: { item_id: item.id }, query: { cursor, limit: 50 }, signal: panel.gone.signal };
      const { revisions, next_cursor } = await panel.client.call("get", REVISIONS, told);
      return { rows: revisions, next: next_cursor };
    },
    row: (revision) => row(panel, item, revision, from, to),
    none: null,
  });
  fill(where, difference, h("div", { class: "actions" }, compare, h("span", { class: "quiet" }, t("history.hint"))), list.element);
  if (from && to) await show(panel, item, from, to, difference);
  await list.ready;
}

/** @param {Panel} panel @param {Item} item @param {Revision} revision @param {string | null} from @param {string | null} to */
function row(panel, item, revision, from, to) {
  const made = revision.provenance;
  const current = revision.id === item.current_revision_id;
  const name = t("knowledge.revision", { n: revision.number });
  const box = h("input", {
    type: "checkbox",
    value: revision.id,
    data: { number: String(revision.number) },
    checked: revision.id === from || revision.id === to,
    "aria-label": t("history.choose", { name }),
  });
  const origin = [
    made.restored_from ? t("history.restored") : null,
    made.filename ? t("history.file", { name: made.filename }) : null,
    made.extractor,
  ].filter(Boolean);
  const restores = panel.may("item:write") && panel.has("knowledge:write") && !current && item.status !== "archived";
  return h(
    "li",
    null,
    box,
    h(
      "div",
      { class: "grow" },
      link(panel.at("knowledge", [`${item.id}@${revision.id}`]), name),
      " ",
      current ? badge(t("history.current"), "good") : null,
      h("div", { class: "quiet" }, t("knowledge.by", { who: made.author_name ?? made.author }), " · ", door(made.door), " · ", when(revision.created_at), ` (${moment(revision.created_at)}) · `, size(revision.size_bytes)),
      origin.length ? h("small", null, origin.join(" · ")) : null,
    ),
    copier(() => revision.reference, t("knowledge.copy_citation")),
    restores ? button(t("history.restore"), () => restore(panel, item, revision), { class: "plain", "aria-label": `${t("history.restore")}: ${name}` }) : null,
  );
}

/** @param {string} name */
const door = (name) => t(/** @type {any} */ (`history.door_${name}`));

/** Compare the two that are ticked, the older one first. @param {Panel} panel @param {Item} item @param {HTMLElement} list */
function chosen(panel, item, list) {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (list.querySelectorAll("input:checked"));
  const ticked = [...boxes].sort((one, other) => Number(one.dataset.number) - Number(other.dataset.number));
  const [from, to] = ticked;
  if (!from || !to || ticked.length > 2) return toast(t("history.two"));
  return panel.stage.go(panel.at("knowledge", [item.id, "history"], { from: from.value, to: to.value }));
}

/** @param {Panel} panel @param {Item} item @param {string} from @param {string} to @param {HTMLElement} where */
async function show(panel, item, from, to, where) {
  fill(where, waiting());
  try {
    const found = await panel.client.call("get", "/api/v1/knowledge/items/{item_id}/diff", {
      path: { item_id: item.id },
      query: { from, to, words: true },
      signal: panel.gone.signal,
    });
    fill(
      where,
      h("h2", null, t("history.between", { from: found.from.number, to: found.to.number })),
      h("p", { class: "quiet" }, t("history.lines", { inserted: found.inserted_lines, deleted: found.deleted_lines })),
      compared(found),
    );
  } catch (fault) {
    if (fault instanceof DOMException) throw fault; // one went on meanwhile
    fill(where, trouble(fault));
  }
}

/** @param {Panel} panel @param {Item} item @param {Revision} revision */
function restore(panel, item, revision) {
  confirm({
    title: t("history.restore"),
    text: t("history.restore_text", { n: revision.number }),
    act: t("history.restore"),
    work: async () => {
      await panel.client.call("post", `${REVISIONS}/{revision_id}/restore`, {
        path: { item_id: item.id, revision_id: revision.id },
        body: { expected_revision_id: item.current_revision_id },
      });
      toast(t("history.restored_done"));
      await panel.stage.go(panel.at("knowledge", [item.id]));
    },
  });
}

/** What changed between two texts, as elements: lines, and within changed ones the words. */

import { h } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */

/** @param {{changes: Schemas["ChangeAnswer"][], truncated: boolean}} found */
export function compared(found) {
  if (!found.changes.some((each) => each.kind !== "equal" && each.kind !== "skipped")) return h("p", { class: "note" }, t("history.same"));
  return h(
    "div",
    { class: "difference mono", role: "group", "aria-label": t("history.changes") },
    found.changes.map(run),
    found.truncated ? h("p", { class: "note warn" }, t("history.truncated")) : null,
  );
}

/** @param {Schemas["ChangeAnswer"]} change */
function run(change) {
  if (change.kind === "skipped") return h("div", { class: "skipped quiet" }, t("history.skipped", { n: change.lines }));
  if (change.kind === "equal") return h("div", { class: "equal" }, change.text);
  const tag = change.kind === "inserted" ? "ins" : "del";
  const words = change.pieces?.map((each) => (each.kind === "equal" ? each.text : h("b", null, each.text)));
  return h("div", { class: change.kind }, h(tag, null, words ?? change.text));
}

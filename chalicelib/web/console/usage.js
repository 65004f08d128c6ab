/** What an answer page costs: today, the days before, the fuse; and how it is put into a site. */

import { h } from "./dom.js";
import { badge, copier } from "./parts.js";
import { day, moment, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./panel.js").Panel} Panel */

/** @param {Panel} panel @param {Schemas["PageAnswer"]} page @param {string | null} href */
export async function usage(panel, page, href) {
  const told = { path: { page_id: page.id }, signal: panel.gone.signal };
  const found = await panel.client.call("get", "/api/v1/pages/{page_id}/usage", told);
  const { fuse } = found;
  const snippet = `<iframe src="${href}" title="${page.name.replaceAll('"', "&quot;")}" width="100%" height="640" style="border: 0"></iframe>`;
  return [
    h(
      "section",
      { class: "card stack" },
      h("h2", null, t("pages.today")),
      h("p", null, t("pages.spent", { turns: found.page.turns, tokens: found.page.tokens })),
      h("p", null, badge(t(fuse.answering ? "pages.fuse_whole" : "pages.fuse_blown"), fuse.answering ? "good" : "bad"), " ", t("pages.fuse_left", { turns: fuse.turns_left, tokens: fuse.tokens_left })),
      h("p", { class: "quiet" }, t("pages.fuse_reset", { when: moment(fuse.resets_at) })),
      h("h3", null, t("pages.days")),
      chart(found.days),
    ),
    href ? h("section", { class: "card stack" }, h("h2", null, t("pages.embed")), h("p", null, t("pages.embed_lead")), h("pre", { class: "code", tabindex: "0" }, snippet), copier(() => snippet)) : null,
  ];
}

/** The questions of the last days as columns; read out as a list. @param {Schemas["DayAnswer"][]} days */
function chart(days) {
  const most = Math.max(1, ...days.map((each) => each.turns));
  return h(
    "ol",
    { class: "chart" },
    days.map((each) => {
      const column = h("span", { class: "column" });
      column.style.height = `${(100 * each.turns) / most}%`;
      const told = t("pages.on_day", { day: day(each.day), turns: each.turns, tokens: each.tokens });
      return h("li", { title: told }, h("span", { class: "spoken-only" }, told), column);
    }),
  );
}

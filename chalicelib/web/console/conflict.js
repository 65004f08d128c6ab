/** Two wrote at once: both sides, the difference, and a text that the person decides on. Nothing typed is lost. */

import { compared } from "./difference.js";
import { h } from "./dom.js";
import { button, dialog, field, when } from "./parts.js";
import { t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */

/**
 * @param {Schemas["MergeAnswer"]} found @param {string} mine
 * @param {() => Promise<string>} theirs reads the text that was saved first
 * @param {(content: string) => Promise<void>} save
 */
export function resolve(found, mine, theirs, save) {
  const result = h("textarea", { class: "mono source", rows: 16, value: found.content });
  const who = found.current.provenance.author_name ?? found.current.provenance.author;
  dialog(
    t("editor.conflict", { n: found.current.number }),
    (close) => {
      const keep = async () => {
        await save(result.value);
        close();
      };
      return h(
        "div",
        { class: "stack" },
        h("p", null, t("editor.conflict_who", { who }), " ", when(found.current.created_at), ". ", t(found.conflicts ? "editor.conflict_both" : "editor.conflict_clean")),
        h(
          "div",
          { class: "columns" },
          h("section", { class: "stack" }, h("h3", null, t("editor.conflict_theirs")), compared(found.theirs)),
          h("section", { class: "stack" }, h("h3", null, t("editor.conflict_mine")), compared(found.mine)),
        ),
        field(t("editor.conflict_result"), result, { hint: t("editor.conflict_hint") }),
        h(
          "div",
          { class: "actions" },
          button(t("editor.conflict_save"), keep),
          h("button", { type: "button", class: "plain", onclick: () => (result.value = mine) }, t("editor.conflict_use_mine")),
          button(t("editor.conflict_use_theirs"), async () => (result.value = await theirs()), { class: "plain" }),
          h("button", { type: "button", class: "plain", onclick: close }, t("parts.cancel")),
        ),
      );
    },
    { wide: true },
  );
}

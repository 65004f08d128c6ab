/** One's account: who one is, teams, taking everything along, leaving for good. */

import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { badge, button, confirmByName, copier, dialog, head, link, when } from "./parts.js";
import { BASE, address } from "./place.js";
import { found } from "./team.js";
import { moment, size, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["ExportAnswer"]} Export */

const GLANCE_MS = 2000;

class Account extends Panel {
  async show() {
    const me = /** @type {import("./contract").Session} */ (this.client.session);
    this.export = h("div", { class: "stack", "aria-live": "polite" });
    fill(
      this,
      head({ title: t("account.title") }),
      h(
        "div",
        { class: "stack" },
        h(
          "section",
          { class: "card stack" },
          h("h2", null, me.name),
          h("p", null, t("account.id"), " ", h("code", null, me.user_id), " ", copier(() => me.user_id)),
          h("p", { class: "quiet" }, t("account.id_hint")),
          h("p", null, t("account.session", { when: moment(me.expires_at) })),
        ),
        this.teams(),
        this.has("tokens:admin")
          ? h(
              "section",
              { class: "card stack" },
              h("h2", null, t("account.export")),
              h("p", null, t("account.export_text")),
              h("div", { class: "actions" }, button(t("account.export_start"), () => this.request())),
              this.export,
            )
          : null,
        h(
          "section",
          { class: "card stack" },
          h("h2", null, t("account.close")),
          h("p", null, t("account.close_text")),
          h("div", { class: "actions" }, button(t("account.close"), () => this.close(me.name), { class: "danger" })),
        ),
      ),
    );
    if (!this.has("tokens:admin")) return;
    const { exports } = await this.client.call("get", "/v1/exports", { signal: this.gone.signal });
    if (exports[0]) await this.follow(exports[0].id);
  }

  teams() {
    const teams = this.stage.spaces.filter((each) => each.kind === "team");
    return h(
      "section",
      { class: "card stack" },
      h("h2", null, t("account.teams")),
      teams.length
        ? h(
            "ul",
            { class: "rows" },
            teams.map((each) =>
              h("li", null, link(address(each.id, "team"), each.name, { class: "grow" }), badge(t(`team.${each.role}`))),
            ),
          )
        : h("p", { class: "quiet" }, t("account.no_teams")),
      h("div", { class: "actions" }, found(this, "plain")),
    );
  }

  async request() {
    const asked = await this.client.call("post", "/v1/exports");
    await this.follow(asked.id);
  }

  /** Show how far an export is until it is done. @param {string} id */
  async follow(id) {
    const where = /** @type {HTMLElement} */ (this.export);
    for (;;) {
      const path = { export_id: id };
      const found = await this.client.call("get", "/v1/exports/{export_id}", { path, signal: this.gone.signal });
      fill(where, this.progress(found));
      if (found.status === "done") return;
      await this.pause(GLANCE_MS);
    }
  }

  /** @param {Export} found */
  progress(found) {
    if (found.status !== "done") return [h("progress", { "aria-label": t("account.export") }), h("p", null, t("account.exporting"))];
    return h(
      "p",
      null,
      t("account.exported"),
      " ",
      when(found.finished_at ?? found.requested_at),
      " · ",
      size(found.size_bytes),
      " ",
      found.url ? link(found.url, t("account.download"), { class: "button plain", download: "", rel: "noreferrer" }) : null,
    );
  }

  /** @param {string} name */
  close(name) {
    confirmByName({
      title: t("account.close"),
      name,
      facts: h("p", { class: "note warn" }, t("account.close_facts")),
      act: t("account.close"),
      work: async (confirm) => {
        const closure = await this.client.call("delete", "/v1/account", { body: { confirm } });
        this.receipt(closure);
      },
    });
  }

  /** The account is gone, and with it the session; the receipt can be read by whoever has its address. @param {Schemas["ClosureAnswer"]} closure */
  receipt(closure) {
    const href = `${BASE}v1/closures/${closure.id}`;
    dialog(
      t("account.closed"),
      () => [
        h("p", null, t("account.closed_text")),
        h("p", null, link(href, href, { target: "_blank", rel: "noreferrer" }), " ", copier(() => href)),
        h("div", { class: "actions" }, h("button", { type: "button", onclick: () => location.replace(`${BASE}me`) }, t("parts.close"))),
      ],
      { closable: false },
    );
  }
}

customElements.define("acervo-account", Account);

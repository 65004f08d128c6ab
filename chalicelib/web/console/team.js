/** Who is in a team, and as what. */

import { once } from "./client.js";
import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { badge, button, confirm, dialog, empty, field, form, head, input, select, toast, trouble, waiting } from "./parts.js";
import { address } from "./place.js";
import { day, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["MemberAnswer"]} Member */

const ROLES = /** @type {const} */ (["viewer", "member", "admin", "owner"]);

class Team extends Panel {
  async show() {
    if (this.stage.space.kind === "personal") return fill(this, head({ title: t("team.title") }), empty(t("team.personal"), found(this)));
    const add = this.may("members:admin") ? button(t("team.add"), () => this.add()) : null;
    this.list = h("div", null, waiting());
    fill(this, head({ title: this.stage.space.name, crumbs: t("team.title"), actions: add }), this.list, this.legend());
    await this.reload();
  }

  get path() {
    return { team_id: this.stage.space.id };
  }

  async reload() {
    const { members } = await this.client.call("get", "/api/v1/teams/{team_id}/members", { path: this.path, signal: this.gone.signal });
    fill(/** @type {HTMLElement} */ (this.list), h("ul", { class: "rows" }, members.map((each) => this.row(each))));
  }

  /** @param {Member} member */
  row(member) {
    const me = member.user_id === this.client.session?.user_id;
    const name = member.name ?? member.user_id;
    const may = this.may("members:admin") && (member.role !== "owner" || this.may("owners:admin"));
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        h("strong", null, name),
        me ? h("span", { class: "quiet" }, ` · ${t("team.you")}`) : null,
        h("br"),
        h("small", null, t("team.since"), " ", day(member.since), " · ", h("span", { class: "mono" }, member.user_id)),
      ),
      may ? this.chooser(member, name) : badge(t(`team.${member.role}`)),
      may || me
        ? button(me ? t("team.go") : t("parts.remove"), () => this.expel(member, name, me), {
            class: "plain",
            "aria-label": me ? t("team.go") : `${t("parts.remove")}: ${name}`,
          })
        : null,
    );
  }

  /** @param {Member} member @param {string} name */
  chooser(member, name) {
    const made = select(this.roles(), { value: member.role, "aria-label": t("team.role_of", { name }) });
    made.addEventListener("change", async () => {
      made.parentElement?.querySelector(":scope > .trouble")?.remove();
      try {
        const path = { ...this.path, user_id: member.user_id };
        await this.client.call("put", "/api/v1/teams/{team_id}/members/{user_id}", { path, body: { role: made.value } });
        toast(t("parts.saved"));
        if (member.user_id === this.client.session?.user_id) location.reload(); // what one may do has changed
        else await this.reload();
      } catch (fault) {
        made.value = member.role;
        made.after(trouble(fault));
      }
    });
    return made;
  }

  /** The roles that one may give. @returns {[string, string][]} */
  roles() {
    const may = ROLES.filter((each) => each !== "owner" || this.may("owners:admin"));
    return may.map((each) => [each, t(`team.${each}`)]);
  }

  add() {
    const id = input({ required: true, maxlength: 80, placeholder: "user_…", spellcheck: "false" });
    const role = select(this.roles(), { value: "viewer" });
    dialog(t("team.add"), (close) =>
      form(
        async () => {
          const body = { user_id: id.value.trim(), role: role.value };
          await this.client.call("post", "/api/v1/teams/{team_id}/members", { path: this.path, body });
          close();
          await this.reload();
        },
        t("team.add"),
        field(t("team.id"), id, { hint: t("team.id_hint") }),
        field(t("team.role"), role),
      ),
    );
  }

  /** @param {Member} member @param {string} name @param {boolean} me */
  expel(member, name, me) {
    confirm({
      title: me ? t("team.go") : t("parts.remove"),
      text: me ? t("team.go_text", { team: this.stage.space.name }) : t("team.remove_text", { name }),
      act: me ? t("team.go") : t("parts.remove"),
      danger: true,
      work: async () => {
        const path = { ...this.path, user_id: member.user_id };
        await this.client.call("delete", "/api/v1/teams/{team_id}/members/{user_id}", { path });
        if (me) location.assign(location.pathname.replace(/[^/]*$/, "me"));
        else await this.reload();
      },
    });
  }

  legend() {
    return h(
      "details",
      { class: "legend" },
      h("summary", null, t("team.what")),
      h("dl", null, ROLES.map((each) => [h("dt", null, t(`team.${each}`)), h("dd", null, t(`team.${each}_may`))]).flat()),
    );
  }
}

/** A button that makes a team. @param {Panel} panel @param {string} [kind] */
export function found(panel, kind = "") {
  const ask = () => {
    const name = input({ required: true, maxlength: 200 });
    const headers = once();
    dialog(t("account.new_team"), (close) =>
      form(
        async () => {
          const made = await panel.client.call("post", "/api/v1/teams", { body: { name: name.value }, headers });
          close();
          await panel.stage.go(address(made.id, "team"));
        },
        t("account.new_team"),
        field(t("account.team_name"), name),
      ),
    );
  };
  return button(t("account.new_team"), ask, { class: kind });
}

customElements.define("acervo-team", Team);

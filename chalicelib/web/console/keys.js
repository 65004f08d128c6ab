/** Keys for agents: made, shown once, watched, revoked. */

import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { badge, button, confirm, copier, dialog, empty, field, form, head, input, select, tick, toast, waiting, when } from "./parts.js";
import { day, maybe, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["TokenAnswer"]} Token */

const PROFILES = /** @type {const} */ (["ordinary-full", "cursor-plugin", "chatgpt-public", "generic-public"]);
const DAYS = ["7", "30", "90", "365"];

class Keys extends Panel {
  async show() {
    const add = button(t("keys.new"), () => this.make());
    const list = h("div", null, waiting());
    fill(this, head({ title: t("keys.title"), actions: this.has("tokens:admin") ? add : null }), h("p", { class: "lead" }, t("keys.lead")), list);
    this.list = list;
    await this.reload();
  }

  async reload() {
    const { tokens } = await this.client.call("get", "/api/v1/tokens", { signal: this.gone.signal });
    const [valid, past] = [tokens.filter(holds), tokens.filter((each) => !holds(each))];
    fill(
      /** @type {HTMLElement} */ (this.list),
      valid.length ? h("ul", { class: "rows" }, valid.map((each) => this.row(each))) : empty(t("keys.none")),
      past.length
        ? h("details", { class: "past" }, h("summary", null, t("keys.past", { n: past.length })), h("ul", { class: "rows" }, past.map((each) => this.row(each))))
        : null,
    );
  }

  /** @param {Token} token */
  row(token) {
    const spaces = token.spaces?.map((id) => this.spaceName(id)) ?? null;
    const used = token.last_used_at ? [t("keys.used"), " ", when(token.last_used_at)] : t("keys.unused");
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        h("strong", null, token.name),
        h("div", { class: "quiet" }, token.scopes.join(" · ")),
        h("small", null, used, " · ", token.profile, spaces ? ` · ${spaces.join(", ")}` : ""),
      ),
      this.state(token),
      holds(token)
        ? button(t("keys.revoke"), () => this.revoke(token), { class: "plain", "aria-label": `${t("keys.revoke")}: ${token.name}` })
        : null,
    );
  }

  /** @param {Token} token */
  state(token) {
    if (token.revoked_at) return badge(t("keys.revoked"), "bad");
    if (!token.expires_at) return badge(t("keys.endless"), "warn");
    return holds(token) ? badge(t("keys.until", { day: day(token.expires_at) }), "good") : badge(t("keys.expired"));
  }

  /** @param {string} id */
  spaceName(id) {
    const found = this.stage.spaces.find((each) => each.id === id);
    return found ? (found.kind === "personal" ? t("shell.personal") : found.name) : id;
  }

  /** @param {Token} token */
  revoke(token) {
    confirm({
      title: t("keys.revoke"),
      text: t("keys.revoke_text", { name: token.name }),
      act: t("keys.revoke"),
      danger: true,
      work: async () => {
        await this.client.call("delete", "/api/v1/tokens/{token_id}", { path: { token_id: token.id } });
        await this.reload();
      },
    });
  }

  make() {
    dialog(t("keys.new"), (close) => this.questions(close), { wide: true });
  }

  /** @param {() => void} close */
  questions(close) {
    const name = input({ required: true, maxlength: 200 });
    const mine = this.client.session?.scopes ?? [];
    const scopes = mine.map((each) => ({ each, ...tick(scope(each), { checked: ["knowledge:read", "memory:read"].includes(each) }) }));
    const spaces = this.stage.spaces.map((each) => ({ each, ...tick(this.spaceName(each.id), { checked: each.id === this.stage.space.id }) }));
    const profile = select(PROFILES.map((each) => [each, t(/** @type {any} */ (`keys.profile_${each.replaceAll("-", "_")}`))]));
    const expiry = select([...DAYS.map((each) => /** @type {[string, string]} */ ([each, t("keys.days", { n: Number(each) })])), ["", t("keys.never")]], { value: "90" });
    return form(
      async () => {
        const chosen = spaces.filter((each) => each.box.checked).map(({ each }) => each.id);
        const body = {
          name: name.value,
          scopes: scopes.filter((each) => each.box.checked).map(({ each }) => each),
          spaces: chosen.length === spaces.length ? null : chosen,
          expires_in_days: expiry.value ? Number(expiry.value) : null,
          profile: profile.value,
        };
        const issued = await this.client.call("post", "/api/v1/tokens", { body });
        close();
        await Promise.all([this.reload(), this.once(issued)]);
      },
      t("keys.create"),
      field(t("keys.name"), name, { hint: t("keys.name_hint") }),
      h(
        "div",
        { class: "columns" },
        h("fieldset", null, h("legend", null, t("keys.scopes")), scopes.map(({ row }) => row)),
        h("fieldset", null, h("legend", null, t("keys.spaces")), spaces.map(({ row }) => row)),
        h("div", { class: "stack" }, field(t("keys.profile"), profile), field(t("keys.expiry"), expiry)),
      ),
    );
  }

  /** The only time that the key is shown, with what to paste where. @param {Schemas["IssuedAnswer"]} issued */
  async once(issued) {
    const { clients, placeholder } = await this.client.call("get", "/api/v1/console/clients");
    dialog(
      t("keys.made"),
      (close) => h(
        "div",
        { class: "stack" },
        h("p", { class: "note warn" }, t("keys.once")),
        h("pre", { class: "code", tabindex: "0" }, issued.token),
        h("div", { class: "actions" }, copier(() => issued.token, t("keys.copy_key"))),
        h("h3", null, t("keys.configure")),
        ...clients.map((each) => {
          const text = each.text.replaceAll(placeholder, issued.token);
          return h(
            "details",
            null,
            h("summary", null, each.program, " ", h("small", null, each.where)),
            h("pre", { class: "code", tabindex: "0" }, text),
            copier(() => text),
          );
        }),
        h("div", { class: "actions" }, h("button", { type: "button", onclick: close }, t("keys.kept"))),
      ),
      { wide: true },
    );
    toast(t("keys.made"));
  }
}

/** A scope in words, and its name. @param {string} name */
function scope(name) {
  const said = maybe(`keys.scope_${name.replace(":", "_")}`);
  return said ? [said, " ", h("small", { class: "mono" }, name)] : name;
}

/** Whether a key still opens anything. @param {Token} token */
function holds(token) {
  return !token.revoked_at && (!token.expires_at || new Date(token.expires_at) > new Date());
}

customElements.define("acervo-keys", Keys);

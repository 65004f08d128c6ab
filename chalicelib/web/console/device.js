/** A command-line client asks to be let in: look at what it asks for, then decide. */

import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { button, field, form, head, input, when } from "./parts.js";
import { t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */

class Device extends Panel {
  /** @param {import("./place.js").Place} place */
  async show(place) {
    const code = input({ required: true, value: place.query.get("code") ?? "", autocapitalize: "characters", spellcheck: "false", maxlength: 40 });
    const asked = h("div", { "aria-live": "polite" });
    fill(
      this,
      head({ title: t("device.title") }),
      h(
        "div",
        { class: "card stack" },
        h("p", null, t("device.lead")),
        form(
          async () => {
            const review = await this.client.call("post", "/api/v1/device-logins/review", { body: { user_code: code.value } });
            fill(asked, this.question(review, code.value, asked));
          },
          t("device.look"),
          field(t("device.code"), code),
        ),
        asked,
      ),
    );
  }

  /** @param {Schemas["ReviewAnswer"]} review @param {string} code @param {HTMLElement} where */
  question(review, code, where) {
    /** @param {"approve" | "deny"} decision */
    const decide = async (decision) => {
      const body = { user_code: code, secret: review.secret, decision };
      const { status } = await this.client.call("post", "/api/v1/device-logins/decide", { body });
      fill(where, h("p", { class: "note" }, t(status === "approved" ? "device.approved" : "device.denied")));
    };
    return h(
      "div",
      { class: "stack" },
      h("h2", null, review.client_id),
      h("p", { class: "note warn" }, t("device.warning")),
      h("p", null, t("device.asked"), " ", when(review.requested_at), ". ", t("device.as", { name: review.name })),
      review.scopes.length
        ? [h("p", null, t("device.would")), h("ul", null, review.scopes.map((each) => h("li", null, each)))]
        : h("p", null, t("device.nothing")),
      h(
        "div",
        { class: "actions" },
        review.scopes.length ? button(t("device.approve"), () => decide("approve")) : null,
        button(t("device.deny"), () => decide("deny"), { class: "plain" }),
      ),
    );
  }
}

customElements.define("acervo-device", Device);

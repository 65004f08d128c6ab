/** Signing in: with a token, a one-time link, or the identity provider of the deployment. */

import { Problem } from "./client.js";
import { h } from "./dom.js";
import { button, field, form, input, link, trouble } from "./parts.js";
import { BASE } from "./place.js";
import { t } from "./texts.js";

/** @typedef {import("./client.js").Client} Client */

/** The session there is, or null. @param {Client} client */
export async function present(client) {
  try {
    return await client.call("get", "/api/v1/session", { signsIn: true });
  } catch (fault) {
    if (fault instanceof Problem && fault.status === 401) return null;
    throw fault;
  }
}

/** Open a session. @param {Client} client @param {{token: string} | {link: string}} proof */
export async function open(client, proof) {
  client.session = await client.call("post", "/api/v1/session", { body: proof, signsIn: true });
}

/**
 * The secret of a one-time link, taken out of the address at once, so that it stays in no history.
 * @returns {string | null}
 */
export function linkInAddress() {
  const found = /^#sign-in=(.+)$/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return decodeURIComponent(found[1] ?? "");
}

/** What the identity provider's way back said went wrong. @returns {string | null} */
export function failureInAddress() {
  const found = /^#sign-in-failed(?:=(\w+))?/.exec(location.hash);
  if (!found) return null;
  history.replaceState(null, "", location.pathname + location.search);
  return found[1] ?? "failed";
}

/**
 * The ways in, as elements.
 * @param {Client} client
 * @param {{oidc: boolean}} about
 * @param {() => void} done
 * @param {{fault?: unknown, again?: boolean}} [how] what went wrong before; whether the page under it has to stay
 */
export function ways(client, about, done, { fault, again = false } = {}) {
  const token = input({ type: "password", required: true, autocomplete: "current-password", spellcheck: "false" });
  const byToken = form(
    async () => {
      await open(client, { token: token.value.trim() });
      token.value = "";
      done();
    },
    t("signin.enter"),
    field(t("signin.token"), token, { hint: t("signin.token_hint") }),
  );
  const then = encodeURIComponent(again ? "/me" : location.href.slice(BASE.length - 1));
  const href = `${BASE}sign-in/oidc?then=${then}`;
  const goOn = async () => {
    client.session = await present(client);
    if (!client.session) throw new Problem(401, { code: "unauthenticated" });
    done();
  };
  const provider = about.oidc
    ? h(
        "div",
        { class: "stack" },
        again ? h("p", null, t("signin.other_tab")) : null,
        h("div", { class: "actions" }, link(href, t("signin.provider"), { class: "button", target: again ? "_blank" : null }), again ? button(t("signin.go_on"), goOn, { class: "plain" }) : null),
      )
    : null;
  return h("div", { class: "stack" }, fault ? trouble(fault) : null, provider, byToken);
}

/** The invisible check against robots: what the page's challenge asks for, before a session is opened. */

/**
 * The proof that a challenge asks for.
 * @param {{kind: string} & Record<string, any>} challenge
 * @returns {Promise<string>} empty where none is asked for
 */
export async function proof(challenge) {
  if (challenge.kind === "altcha") return solved(challenge);
  if (challenge.kind === "turnstile") return turnstile(String(challenge.site_key));
  return "";
}

/**
 * ALTCHA's proof of work, beside the page's own thread.
 * @param {Record<string, any>} challenge
 * @returns {Promise<string>}
 */
function solved(challenge) {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const work = new Promise((resolve, reject) => {
    worker.addEventListener("message", (event) => resolve(event.data));
    worker.addEventListener("error", reject);
    worker.postMessage({ parameters: challenge.parameters, signature: challenge.signature });
  });
  return /** @type {Promise<string>} */ (work).finally(() => worker.terminate());
}

/**
 * Cloudflare's check, which its own script makes; only where the operator chose it.
 * @param {string} sitekey
 * @returns {Promise<string>}
 */
async function turnstile(sitekey) {
  const script = document.createElement("script");
  script.src = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  const place = document.createElement("div");
  document.querySelector("main")?.append(place);
  const token = new Promise((resolve, reject) => {
    // @ts-ignore - its script defines it
    window.turnstile.render(place, { sitekey, callback: resolve, "error-callback": reject, appearance: "interaction-only" });
  });
  return /** @type {Promise<string>} */ (token).finally(() => place.remove());
}

/**
 * Markdown as the server renders it. The one place where markup becomes elements: it comes from our own door, which
 * lets a closed list of tags through, and the page's policy has no other door for markup.
 */

/** @typedef {{createHTML: (text: string) => any}} Policy */

const factory = /** @type {any} */ (globalThis).trustedTypes;
/** @type {Policy} */
const policy = factory
  ? factory.createPolicy("acervo-rendered", { createHTML: (/** @type {string} */ text) => text })
  : { createHTML: (text) => text };

/** Put rendered Markdown into an element. @param {Element} where @param {string} html as `/api/v1/render` gives it */
export function render(where, html) {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  where.replaceChildren(template.content);
}

/** Making elements. Text becomes text nodes and nothing else: what people wrote never becomes markup here. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[]} Children */

/**
 * An element with its attributes, listeners and children. `onclick` and its like listen; `value`, `checked`, `disabled`
 * and other properties of the element are set as such, and everything else becomes an attribute. False and null leave
 * an attribute out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [given]
 * @param {Children[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, given, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given ?? {})) put(made, name, value);
  made.append(...nodes(children));
  return made;
}

/** @param {HTMLElement} made @param {string} name @param {any} value */
function put(made, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "class") made.className = value;
  else if (name === "data") Object.assign(made.dataset, value);
  else if (PROPERTIES.has(name)) /** @type {any} */ (made)[name] = value;
  else made.setAttribute(name, value === true ? "" : String(value));
}

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "multiple", "selected", "indeterminate", "open"]);

/** @param {Children[]} children @returns {(Node | string)[]} */
export function nodes(children) {
  return children
    .flat()
    .filter((each) => each !== null && each !== undefined && each !== false)
    .map((each) => (each instanceof Node ? each : String(each)));
}

/** @param {Element} where @param {Children[]} children */
export function fill(where, ...children) {
  where.replaceChildren(...nodes(children));
}

let counted = 0;

/** An id that no other element of the page has. @param {string} name */
export function unique(name) {
  counted += 1;
  return `${name}-${counted}`;
}

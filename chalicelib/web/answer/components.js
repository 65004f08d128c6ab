/**
 * Renders sections. Whatever is in their texts stays text: it only ever goes into text nodes, and nothing that looks
 * like an address becomes one.
 */

import { filled } from "./texts.js";

/** @typedef {{url: string, alt: string, width: number, height: number}} Picture */
/** @typedef {{url: string, label: string, kind: "link" | "action"}} Link */
/** @typedef {{component: string, slot: string, props: Record<string, any>, sources?: string[]}} Section */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {(props: Record<string, any>, texts: Texts) => (Node | null)[]} Renderer */

const SAFE_LINK = /^(https:|mailto:|tel:)/i;
const SAFE_PICTURE = /^https?:/i;

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string | null | undefined)[]} children
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** @param {string | null | undefined} text */
const title = (text) => (text ? element("h3", {}, text) : null);

/**
 * @param {string} name
 * @param {string | null | undefined} text
 * @param {string} kind
 */
const optional = (name, text, kind) => (text ? element(name, { class: kind }, text) : null);

/**
 * A picture; what it shows, in words, where it cannot be shown.
 * @param {Picture} picture
 * @param {Texts} texts
 */
function pictured(picture, texts) {
  const told = () => element("p", { class: "no-picture" }, filled(texts.picture, { alt: picture.alt }));
  if (!SAFE_PICTURE.test(picture.url)) return told();
  const size = { width: String(picture.width), height: String(picture.height) };
  const made = element("img", { src: picture.url, alt: picture.alt, decoding: "async", ...size });
  made.addEventListener("error", () => made.replaceWith(told()), { once: true });
  return made;
}

/** @param {Link} link */
function linked(link) {
  if (!SAFE_LINK.test(link.url)) return null;
  const elsewhere = { target: "_blank", rel: "noopener noreferrer nofollow" };
  return element("a", { href: link.url, class: link.kind, ...elsewhere }, link.label);
}

/** @type {Record<string, Renderer>} */
const RENDERERS = {
  hero: (props, texts) => [
    props.image ? pictured(props.image, texts) : null,
    element(
      "div",
      { class: "words" },
      element("h3", {}, props.title),
      optional("p", props.subtitle, "subtitle"),
      props.action ? linked(props.action) : null,
    ),
  ],
  text: (props) => [title(props.title), ...props.paragraphs.map((/** @type {string} */ each) => element("p", {}, each))],
  highlights: (props) => [
    title(props.title),
    element(
      "ul",
      {},
      ...props.points.map((/** @type {any} */ each) =>
        element("li", {}, optional("strong", each.title, "label"), element("span", {}, each.text)),
      ),
    ),
  ],
  steps: (props) => [
    title(props.title),
    element(
      "ol",
      {},
      ...props.steps.map((/** @type {any} */ each) =>
        element("li", {}, optional("strong", each.title, "label"), element("span", {}, each.text)),
      ),
    ),
  ],
  faq: (props) => [
    title(props.title),
    ...props.questions.map((/** @type {any} */ each, /** @type {number} */ index) =>
      element(
        "details",
        index === 0 ? { open: "" } : {},
        element("summary", {}, each.question),
        element("p", {}, each.answer),
      ),
    ),
  ],
  comparison: (props) => [
    title(props.title),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", ...(props.title ? { "aria-label": props.title } : {}) },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            element("td"),
            ...props.columns.map((/** @type {string} */ each) => element("th", { scope: "col" }, each)),
          ),
        ),
        element(
          "tbody",
          {},
          ...props.rows.map((/** @type {any} */ row) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, row.label),
              ...row.values.map((/** @type {string} */ each) => element("td", {}, each)),
            ),
          ),
        ),
      ),
    ),
  ],
  price_list: (props) => [
    title(props.title),
    element(
      "dl",
      {},
      ...props.items.map((/** @type {any} */ each) =>
        element(
          "div",
          {},
          element("dt", {}, each.name, optional("small", each.detail, "detail")),
          element("dd", {}, each.price),
        ),
      ),
    ),
    optional("p", props.note, "note"),
  ],
  timeline: (props) => [
    title(props.title),
    element(
      "ol",
      {},
      ...props.events.map((/** @type {any} */ each) =>
        element("li", {}, element("strong", { class: "label" }, each.when), element("span", {}, each.text)),
      ),
    ),
  ],
  quote: (props) => [
    element("blockquote", {}, element("p", {}, props.text)),
    optional("p", props.attribution, "attribution"),
  ],
  image: (props, texts) => [
    element("figure", {}, pictured(props.image, texts), optional("figcaption", props.caption, "caption")),
  ],
  gallery: (props, texts) => [
    title(props.title),
    element(
      "ul",
      { class: "pictures" },
      ...props.images.map((/** @type {Picture} */ each) => element("li", {}, pictured(each, texts))),
    ),
  ],
  contact: (props) => [
    title(props.title),
    optional("p", props.text, "text"),
    element("ul", { class: "links" }, ...props.links.map((/** @type {Link} */ each) => element("li", {}, linked(each)))),
  ],
  call_to_action: (props) => [title(props.title), optional("p", props.text, "text"), linked(props.action)],
  notice: (props) => [element("p", {}, props.text)],
};

/**
 * A section as an element; null for a component that this page does not know.
 * @param {Section} section
 * @param {Texts} texts
 * @returns {HTMLElement | null}
 */
export function rendered(section, texts) {
  if (!Object.hasOwn(RENDERERS, section.component)) return null;
  const renderer = RENDERERS[section.component];
  const tone = section.component === "notice" ? ` ${section.props.tone}` : "";
  const made = element("section", { class: `${section.component}${tone}` });
  made.append(...renderer(section.props, texts).filter((each) => each !== null));
  if (section.sources?.length) {
    const listed = section.sources.map((each) => element("li", {}, each));
    made.append(
      element("details", { class: "sources" }, element("summary", {}, texts.sources), element("ul", {}, ...listed)),
    );
  }
  return made;
}

export const COMPONENTS = Object.keys(RENDERERS);

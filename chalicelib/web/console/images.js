/** The pictures of an answer page: brought, described, approved. */

import { once } from "./client.js";
import { h } from "./dom.js";
import { badge, button, confirm, dialog, empty, field, form, select } from "./parts.js";
import { posted } from "./posting.js";
import { size, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["PageAnswer"]} Page */
/** @typedef {Schemas["ImageAnswer"]} Image */
/** @typedef {import("./panel.js").Panel & {changed: (page: Page) => Promise<void>}} Pages */

const IMAGE = "/api/v1/pages/{page_id}/images/{image_id}";
const KINDS = /** @type {const} */ (["photo", "illustration", "diagram", "screenshot", "logo"]);

/** @param {Pages} panel @param {Page} page */
export function images(panel, page) {
  return [
    h("p", null, t("pages.images_lead")),
    page.images.length ? h("ul", { class: "pictures" }, page.images.map((each) => picture(panel, page, each))) : empty(t("pages.no_images")),
    h("div", { class: "actions" }, button(t("pages.add_image"), () => bring(panel, page))),
  ];
}

/** @param {Pages} panel @param {Page} page @param {Image} image */
function picture(panel, page, image) {
  const path = { page_id: page.id, image_id: image.id };
  const change = async (/** @type {Record<string, unknown>} */ body) =>
    panel.changed(await panel.client.call("patch", IMAGE, { path, body, headers: once() }));
  const remove = () =>
    confirm({
      title: t("parts.remove"),
      text: image.shows,
      act: t("parts.remove"),
      danger: true,
      work: async () => panel.changed(await panel.client.call("delete", IMAGE, { path, headers: once() })),
    });
  return h(
    "li",
    { class: "card stack" },
    h("img", { src: image.url, alt: image.shows, loading: "lazy", width: image.width, height: image.height }),
    h("p", null, image.shows),
    h("small", null, `${image.kind} · ${image.width} × ${image.height} · ${size(image.size)}`),
    h(
      "div",
      { class: "actions" },
      badge(t(image.approved ? "pages.approved" : "pages.not_approved"), image.approved ? "good" : "warn"),
      button(t(image.approved ? "pages.unapprove" : "pages.approve"), () => change({ approved: !image.approved }), { class: image.approved ? "plain" : "" }),
      button(t("parts.edit"), () => describe(image, change), { class: "plain" }),
      button(t("parts.remove"), remove, { class: "plain" }),
    ),
  );
}

/** @param {Image} image @param {(body: Record<string, unknown>) => Promise<void>} change */
function describe(image, change) {
  const { kind, shows, rows } = questions(image);
  dialog(t("parts.edit"), (close) =>
    form(
      async () => {
        await change({ kind: kind.value, shows: shows.value });
        close();
      },
      t("parts.save"),
      ...rows,
    ),
  );
}

/** @param {Image | null} image */
function questions(image) {
  const kind = select(KINDS.map((each) => [each, t(`pages.image_${each}`)]), { value: image?.kind ?? "photo" });
  const shows = h("textarea", { rows: 3, required: true, maxlength: 500, value: image?.shows ?? "" });
  return { kind, shows, rows: [field(t("pages.shows"), shows, { hint: t("pages.shows_hint") }), field(t("pages.kind"), kind)] };
}

/** @param {Pages} panel @param {Page} page */
function bring(panel, page) {
  const file = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp", required: true });
  const { kind, shows, rows } = questions(null);
  const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("files.uploading") });
  dialog(t("pages.add_image"), (close) =>
    form(
      async () => {
        const [chosen] = file.files ?? [];
        if (!chosen) return;
        const asked = await panel.client.call("post", "/api/v1/pages/{page_id}/images", { path: { page_id: page.id }, body: { media_type: chosen.type } });
        bar.hidden = false;
        await posted(asked.upload, chosen, (share) => (bar.value = share));
        const path = { page_id: page.id, image_id: asked.image_id };
        const changed = await panel.client.call("put", IMAGE, { path, body: { kind: kind.value, shows: shows.value }, headers: once() });
        close();
        await panel.changed(changed);
      },
      t("pages.add_image"),
      field(t("pages.file"), file),
      ...rows,
      bar,
    ),
  );
}

/** Answer pages: what they are about, what they draw on, how they answer, what they cost. */

import { once } from "./client.js";
import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { badge, button, confirm, confirmByName, copier, dialog, empty, field, form, head, input, link, listing, select, tabs, tick, toast, when } from "./parts.js";
import { number, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {Schemas["PageAnswer"]} Page */
/** @typedef {Schemas["TopicAnswer"]} Topic */
/** @typedef {Schemas["ImageAnswer"]} Image */
/** @typedef {Schemas["LinkAnswer"]} Link */

const PAGE = "/api/v1/pages/{page_id}";
const TABS = /** @type {const} */ (["about", "topics", "images", "links", "try", "use"]);

class Pages extends Panel {
  /** @param {import("./place.js").Place} place */
  async show(place) {
    const [id, tab = "about"] = place.path;
    if (!id) return this.list();
    const told = { path: { page_id: id }, signal: this.gone.signal };
    const page = await this.client.call("get", PAGE, told);
    if (this.isHere(page.space_id)) await this.draw(page, tab);
  }

  get writes() {
    return this.may("page:admin") && this.has("pages:admin");
  }

  list() {
    if (!this.writes) return fill(this, head({ title: t("pages.title") }), empty(t("pages.not_yours")));
    const add = () => button(t("pages.new"), () => this.edit(null));
    const made = listing({
      page: async (cursor) => {
        const told = { query: { space: this.stage.space.id, cursor, limit: 50 }, signal: this.gone.signal };
        const { pages, next_cursor } = await this.client.call("get", "/api/v1/pages", told);
        return { rows: pages, next: next_cursor };
      },
      row: (/** @type {Schemas["PageEntry"]} */ each) =>
        h(
          "li",
          null,
          h("div", { class: "grow" }, link(this.at("pages", [each.id]), h("strong", null, each.name)), h("div", { class: "quiet" }, t("pages.holds", { topics: each.topics, images: each.images, links: each.links }))),
          this.status(each.status),
          h("small", null, when(each.updated_at)),
        ),
      none: empty(t("pages.none"), add()),
    });
    fill(this, head({ title: t("pages.title"), actions: add() }), made.element);
    return made.ready;
  }

  /** @param {"live" | "paused"} status */
  status(status) {
    return badge(t(`pages.${status}`), status === "live" ? "good" : "warn");
  }

  /** @param {Page} page @param {string} tab */
  async draw(page, tab) {
    const live = page.status === "live";
    const href = this.stage.about.answers_url && `${this.stage.about.answers_url}/p/${page.id}`;
    const body = h("div", { class: "stack" });
    fill(
      this,
      head({
        crumbs: link(this.at("pages"), t("pages.title")),
        title: page.name,
        actions: [
          this.status(page.status),
          live && href ? link(href, t("pages.open"), { class: "button plain", target: "_blank", rel: "noreferrer" }) : null,
          button(t(live ? "pages.pause" : "pages.go_live"), () => this.move(page, tab), { class: live ? "plain" : "" }),
        ],
      }),
      tabs(TABS.map((each) => ({ href: this.at("pages", [page.id, each]), text: t(`pages.${each}`), here: each === tab })), page.name),
      body,
    );
    const drawn = { about: () => this.about(page), topics: () => this.topics(page), images: () => this.images(page), links: () => this.links(page), try: () => this.trying(page, href), use: () => this.use(page, href) };
    const parts = Object.hasOwn(drawn, tab) ? await drawn[/** @type {keyof typeof drawn} */ (tab)]() : null;
    fill(body, parts);
  }

  /** Show the page as it is now, after a change. @param {Page} page */
  async changed(page) {
    toast(t("parts.saved"));
    await this.draw(page, this.stage.place().path[1] ?? "about");
  }

  /** @param {Page} page @param {string} tab */
  async move(page, tab) {
    const told = { path: { page_id: page.id }, headers: once() };
    const work = async () => {
      const moved = page.status === "live" ? await this.client.call("post", `${PAGE}/pause`, told) : await this.client.call("post", `${PAGE}/go-live`, told);
      await this.draw(moved, tab);
    };
    if (page.status !== "live") return work();
    confirm({ title: t("pages.pause"), text: t("pages.pause_text"), act: t("pages.pause"), work });
  }

  /** @param {Page} page */
  about(page) {
    const { turns_per_minute, burst, cooldown_s } = page.limits;
    const told = /** @type {[string, string][]} */ ([
      [t("pages.what"), page.about],
      [t("pages.not"), page.not_about || "–"],
      [t("pages.language"), page.language],
      [t("pages.origins"), page.origins.join(", ") || "–"],
      [t("pages.sources"), t(page.shows_sources ? "parts.yes" : "parts.no")],
      [t("pages.limits"), t("pages.limits_told", { turns: turns_per_minute, burst, cooldown: cooldown_s })],
    ]);
    return [
      h("dl", { class: "facts card" }, told.map(([name, value]) => [h("dt", null, name), h("dd", { class: "passage" }, value)]).flat()),
      h("div", { class: "actions" }, button(t("parts.edit"), () => this.edit(page)), button(t("knowledge.delete"), () => this.remove_page(page), { class: "plain" })),
    ];
  }

  /** @param {Page | null} page null for a new one */
  edit(page) {
    const name = input({ required: true, maxlength: 200, value: page?.name ?? "" });
    const about = h("textarea", { rows: 3, required: true, maxlength: 2000, value: page?.about ?? "" });
    const not = h("textarea", { rows: 2, maxlength: 2000, value: page?.not_about ?? "" });
    const language = input({ required: true, minlength: 2, maxlength: 2, value: page?.language ?? document.documentElement.lang });
    const origins = h("textarea", { rows: 2, class: "mono", value: page?.origins.join("\n") ?? "", placeholder: "https://example.com" });
    const sources = tick(t("pages.sources"), { checked: page?.shows_sources ?? false });
    const limit = (/** @type {"turns_per_minute" | "burst" | "cooldown_s"} */ which, /** @type {number} */ otherwise, /** @type {number} */ step) =>
      input({ type: "number", required: true, min: which === "cooldown_s" ? 0 : 1, step, value: page?.limits[which] ?? otherwise });
    const [turns, burst, cooldown] = [limit("turns_per_minute", 20, 1), limit("burst", 10, 1), limit("cooldown_s", 2, 0.5)];
    const headers = once();
    dialog(
      page ? page.name : t("pages.new"),
      (close) =>
        form(
          async () => {
            const body = {
              name: name.value,
              about: about.value,
              not_about: not.value,
              language: language.value.toLowerCase(),
              origins: origins.value.split(/\s+/).filter(Boolean),
              shows_sources: sources.box.checked,
              limits: { turns_per_minute: Number(turns.value), burst: Number(burst.value), cooldown_s: Number(cooldown.value) },
            };
            if (page) {
              const done = await this.client.call("patch", PAGE, { path: { page_id: page.id }, body, headers });
              close();
              return this.changed(done);
            }
            const made = await this.client.call("post", "/api/v1/pages", { body: { space_id: this.stage.space.id, ...body }, headers });
            close();
            await this.stage.go(this.at("pages", [made.id, "topics"]));
          },
          t("parts.save"),
          field(t("knowledge.name"), name),
          field(t("pages.what"), about, { hint: t("pages.what_hint") }),
          field(t("pages.not"), not, { hint: t("pages.not_hint") }),
          h("div", { class: "columns" }, field(t("pages.language"), language, { hint: t("pages.language_hint") }), field(t("pages.origins"), origins, { hint: t("pages.origins_hint") })),
          h("div", { class: "columns three" }, field(t("pages.turns"), turns), field(t("pages.burst"), burst), field(t("pages.cooldown"), cooldown)),
          sources.row,
        ),
      { wide: true },
    );
  }

  /** @param {Page} page */
  remove_page(page) {
    confirmByName({
      title: t("knowledge.delete"),
      name: page.name,
      facts: h("p", { class: "note warn" }, t("pages.delete_text")),
      act: t("knowledge.delete"),
      work: async (confirm) => {
        await this.client.call("delete", PAGE, { path: { page_id: page.id }, body: { confirm } });
        await this.stage.go(this.at("pages"));
      },
    });
  }

  /** @param {Page} page */
  topics(page) {
    return [
      h("p", null, t("pages.topics_lead")),
      page.topics.length
        ? h("ul", { class: "rows" }, page.topics.map((each) => this.topic(page, each)))
        : empty(t("pages.no_topics")),
      h("div", { class: "actions" }, button(t("pages.add_topic"), () => this.editTopic(page, null))),
    ];
  }

  /** @param {Page} page @param {Topic} topic */
  topic(page, topic) {
    const remove = async () => {
      const path = { page_id: page.id, topic_id: topic.id };
      await this.changed(await this.client.call("delete", `${PAGE}/topics/{topic_id}`, { path, headers: once() }));
    };
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        h("strong", null, topic.title),
        h("div", { class: "quiet" }, topic.description),
        h("small", null, t("pages.draws", { bases: topic.knowledge_base_ids.length, items: topic.knowledge_item_ids.length })),
      ),
      button(t("parts.edit"), () => this.editTopic(page, topic), { class: "plain", "aria-label": `${t("parts.edit")}: ${topic.title}` }),
      button(t("parts.remove"), remove, { class: "plain", "aria-label": `${t("parts.remove")}: ${topic.title}` }),
    );
  }

  /** @param {Page} page @param {Topic | null} topic */
  async editTopic(page, topic) {
    const bases = await this.client.all(async (cursor) => {
      const query = { space: page.space_id, cursor, limit: 100 };
      const found = await this.client.call("get", "/api/v1/knowledge/bases", { query });
      return { rows: found.bases, next: found.next_cursor };
    }, 500);
    const title = input({ required: true, maxlength: 120, value: topic?.title ?? "" });
    const description = h("textarea", { rows: 4, required: true, maxlength: 1000, value: topic?.description ?? "" });
    const chosen = bases.map((each) => ({ each, ...tick(each.name, { checked: topic?.knowledge_base_ids.includes(each.id) }) }));
    const items = h("textarea", { rows: 2, class: "mono", value: topic?.knowledge_item_ids.join("\n") ?? "" });
    const headers = once();
    dialog(topic?.title ?? t("pages.add_topic"), (close) =>
      form(
        async () => {
          const body = {
            title: title.value,
            description: description.value,
            knowledge_base_ids: chosen.filter(({ box }) => box.checked).map(({ each }) => each.id),
            knowledge_item_ids: [...items.value.matchAll(/item_[a-z0-9]+/g)].map(([each]) => each),
          };
          const changed = topic
            ? await this.client.call("put", `${PAGE}/topics/{topic_id}`, { path: { page_id: page.id, topic_id: topic.id }, body, headers })
            : await this.client.call("post", `${PAGE}/topics`, { path: { page_id: page.id }, body, headers });
          close();
          await this.changed(changed);
        },
        t("parts.save"),
        field(t("editor.name"), title),
        field(t("pages.covers"), description, { hint: t("pages.covers_hint") }),
        h("fieldset", null, h("legend", null, t("pages.bases")), chosen.map(({ row }) => row)),
        field(t("pages.items"), items, { hint: t("pages.items_hint") }),
      ),
    );
  }

  /** @param {Page} page */
  links(page) {
    const remove = async (/** @type {Link} */ each) => {
      const path = { page_id: page.id, link_id: each.id };
      await this.changed(await this.client.call("delete", `${PAGE}/links/{link_id}`, { path, headers: once() }));
    };
    const row = (/** @type {Link} */ each) =>
      h(
        "li",
        null,
        h("div", { class: "grow" }, h("strong", null, each.label), h("div", { class: "quiet mono" }, each.url)),
        badge(t(`pages.kind_${each.kind}`)),
        button(t("parts.edit"), () => this.editLink(page, each), { class: "plain", "aria-label": `${t("parts.edit")}: ${each.label}` }),
        button(t("parts.remove"), () => remove(each), { class: "plain", "aria-label": `${t("parts.remove")}: ${each.label}` }),
      );
    return [
      h("p", null, t("pages.links_lead")),
      page.links.length ? h("ul", { class: "rows" }, page.links.map(row)) : empty(t("pages.no_links")),
      h("div", { class: "actions" }, button(t("pages.add_link"), () => this.editLink(page, null))),
    ];
  }

  /** @param {Page} page @param {Link | null} given */
  editLink(page, given) {
    const label = input({ required: true, maxlength: 80, value: given?.label ?? "" });
    const url = input({ required: true, value: given?.url ?? "", placeholder: "https://…", class: "mono" });
    const kind = select([["link", t("pages.kind_link")], ["action", t("pages.kind_action")]], { value: given?.kind ?? "link" });
    const headers = once();
    dialog(given?.label ?? t("pages.add_link"), (close) =>
      form(
        async () => {
          const body = { kind: kind.value, label: label.value, url: url.value };
          const changed = given
            ? await this.client.call("put", `${PAGE}/links/{link_id}`, { path: { page_id: page.id, link_id: given.id }, body, headers })
            : await this.client.call("post", `${PAGE}/links`, { path: { page_id: page.id }, body, headers });
          close();
          await this.changed(changed);
        },
        t("parts.save"),
        field(t("pages.label"), label),
        field(t("pages.url"), url, { hint: t("pages.url_hint") }),
        field(t("pages.kind"), kind),
      ),
    );
  }

  /** @param {Page} page */
  async images(page) {
    const { images } = await import("./images.js");
    return images(this, page);
  }

  /** @param {Page} page @param {string | null} href */
  trying(page, href) {
    const question = input({ required: true, maxlength: 1000, value: "" });
    const found = h("div", { class: "stack", "aria-live": "polite" });
    const ask = form(
      async () => {
        const body = { question: question.value };
        const { topics } = await this.client.call("post", `${PAGE}/try`, { path: { page_id: page.id }, body });
        fill(found, topics.length ? topics.map((each) => this.tried(each)) : h("p", null, t("pages.no_topics")));
      },
      t("pages.try"),
      field(t("pages.question"), question),
    );
    const preview =
      href && page.status === "live"
        ? [
            h("iframe", { class: "preview-page", src: href, title: t("pages.preview"), referrerpolicy: "no-referrer" }),
            h("small", null, t("pages.preview_empty", { origin: location.origin })),
          ]
        : h("p", { class: "quiet" }, t("pages.preview_later"));
    return [
      h("p", null, t("pages.try_lead")),
      ask,
      found,
      h("h2", null, t("pages.preview")),
      preview,
    ].flat();
  }

  /** @param {Schemas["TriedTopicAnswer"]} topic */
  tried(topic) {
    return h(
      "section",
      { class: "card stack" },
      h("h3", null, topic.title),
      topic.degraded ? h("p", { class: "note warn" }, topic.degraded) : null,
      topic.passages.length
        ? h(
            "ol",
            { class: "stack" },
            topic.passages.map((each) =>
              h(
                "li",
                null,
                link(this.at("knowledge", [each.reference.replace("knowledge:", "")]), each.title),
                " ",
                h("small", null, [...each.heading_path, number(each.score)].join(" · ")),
                h("p", { class: "clamp" }, each.content),
              ),
            ),
          )
        : h("p", { class: "quiet" }, t("pages.nothing_on_it")),
    );
  }

  /** @param {Page} page @param {string | null} href */
  async use(page, href) {
    const { usage } = await import("./usage.js");
    return usage(this, page, href);
  }
}

customElements.define("acervo-pages", Pages);

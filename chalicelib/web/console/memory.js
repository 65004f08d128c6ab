/** What agents keep in mind: records, projects with their links to knowledge, to-dos, the timeline. */

import { fill, h } from "./dom.js";
import { Panel } from "./panel.js";
import { badge, button, confirm, dialog, empty, field, form, head, input, link, listing, select, tabs, toast, when } from "./parts.js";
import { cited } from "./place.js";
import { moment, t } from "./texts.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./place.js").Place} Place */
/** @typedef {Schemas["MemoryAnswer"]} Memory */
/** @typedef {Schemas["ProjectAnswer"]} Project */
/** @typedef {Memory["source"]} Source */

const TABS = /** @type {const} */ (["records", "projects", "todos", "timeline"]);
const TYPES = /** @type {const} */ (["semantic", "episodic", "procedural", "identity", "working"]);

class MemoryPanel extends Panel {
  /** @param {Place} place */
  async show(place) {
    const [tab = "records", id] = place.path;
    this.body = h("div", { class: "stack" });
    fill(
      this,
      head({ title: t("memory.title"), actions: this.adder(tab) }),
      tabs(
        TABS.map((each) => ({ href: this.at("memory", [each]), text: t(`memory.${each}`), here: each === tab })),
        t("memory.title"),
      ),
      this.body,
    );
    if (tab === "projects") return id ? this.project(id) : this.list(this.projects());
    if (tab === "todos") return this.list(this.todos(place.query.get("status") ?? "open"));
    if (tab === "timeline") return this.list(this.timeline());
    return this.list(this.records(place.query.get("path") ?? ""));
  }

  /** The team whose memory it is; left out for one's own. */
  get team() {
    return this.stage.space.kind === "team" ? this.stage.space.id : null;
  }

  get writes() {
    return this.may("memory:write") && this.has("memory:write");
  }

  /** @param {string} tab */
  adder(tab) {
    if (!this.writes) return null;
    if (tab === "projects") return button(t("memory.new_project"), () => this.addProject());
    if (tab === "todos") return button(t("memory.new_todo"), () => this.addTodo());
    if (tab === "timeline") return button(t("memory.new_event"), () => this.addEvent());
    return button(t("memory.remember"), () => this.write(null));
  }

  /** @param {{above?: HTMLElement, listing: ReturnType<typeof listing>}} made */
  async list({ above, listing: made }) {
    fill(/** @type {HTMLElement} */ (this.body), above, made.element);
    await made.ready;
  }

  reload() {
    return this.stage.go(location.href, { replace: true });
  }

  /** @param {string} path */
  records(path) {
    const below = input({ value: path, placeholder: "projects/x", "aria-label": t("memory.path") });
    const filter = h("form", { class: "actions" }, below, h("button", { type: "submit", class: "plain" }, t("memory.filter")));
    filter.addEventListener("submit", (event) => {
      event.preventDefault();
      this.stage.go(this.at("memory", ["records"], { path: below.value.trim() }));
    });
    return {
      above: filter,
      listing: listing({
        page: async (cursor) => {
          const told = { query: { team_id: this.team, path, cursor, limit: 50 }, signal: this.gone.signal };
          const { memories, next_cursor } = await this.client.call("get", "/v1/memories", told);
          return { rows: memories, next: next_cursor };
        },
        row: (memory) => this.record(memory),
        none: empty(t("memory.no_records")),
      }),
    };
  }

  /** @param {Memory} memory */
  record(memory) {
    return h(
      "li",
      null,
      h(
        "div",
        { class: "grow" },
        h("p", { class: "passage" }, memory.content),
        h("small", null, this.from(memory.source), " · ", when(memory.created_at), memory.path ? ` · ${memory.path}` : "", memory.bucket === "default" ? "" : ` · ${memory.bucket}`),
      ),
      badge(t(`memory.type_${memory.memory_type}`)),
      button(t("memory.explain"), () => this.explain(memory), { class: "plain" }),
      this.writes ? button(t("parts.edit"), () => this.write(memory), { class: "plain" }) : null,
      this.writes ? button(t("memory.forget"), () => this.forget(memory), { class: "plain" }) : null,
    );
  }

  /** Who something came from. @param {Source} source */
  from(source) {
    const who = source.agent_id ?? source.token_name ?? (source.client || source.user_id);
    return `${who} · ${t(/** @type {any} */ (`history.door_${source.door}`))}`;
  }

  /** @param {Memory} memory */
  async explain(memory) {
    const found = await this.client.call("get", "/v1/memories/{memory_id}/explain", { path: { memory_id: memory.id } });
    const told = /** @type {[string, string | null][]} */ ([
      [t("memory.from"), this.from(memory.source)],
      [t("memory.person"), memory.source.user_id],
      [t("memory.written"), moment(memory.created_at)],
      [t("memory.changed"), memory.updated_by ? `${moment(memory.updated_at)} · ${this.from(memory.updated_by)}` : null],
      [t("memory.expires"), memory.expires_at ? moment(memory.expires_at) : null],
      [t("memory.path"), memory.path || null],
      [t("memory.id"), found.id ?? memory.id],
    ]);
    dialog(t("memory.explain"), () =>
      h("dl", { class: "facts" }, told.filter(([, value]) => value).map(([name, value]) => [h("dt", null, name), h("dd", null, value)]).flat()),
    );
  }

  /** @param {Memory | null} memory null for a new one */
  write(memory) {
    const content = h("textarea", { rows: 6, required: true, maxlength: 20000, value: memory?.content ?? "" });
    const type = select(TYPES.map((each) => [each, t(`memory.type_${each}`)]), { value: memory?.memory_type ?? "semantic" });
    const path = input({ maxlength: 200, value: memory?.path ?? "" });
    dialog(t(memory ? "memory.change" : "memory.remember"), (close) =>
      form(
        async () => {
          const body = { content: content.value, memory_type: type.value, path: path.value };
          if (memory) await this.client.call("patch", "/v1/memories/{memory_id}", { path: { memory_id: memory.id }, body });
          else await this.client.call("post", "/v1/memories", { body: { ...body, team_id: this.team } });
          close();
          await this.reload();
        },
        t("parts.save"),
        field(t("memory.content"), content),
        field(t("memory.type"), type),
        field(t("memory.path"), path, { hint: t("memory.path_hint") }),
      ),
    );
  }

  /** @param {Memory} memory */
  forget(memory) {
    confirm({
      title: t("memory.forget"),
      text: [h("p", { class: "passage clamp" }, memory.content), h("p", null, t("memory.forget_text"))],
      act: t("memory.forget"),
      danger: true,
      work: async () => {
        await this.client.call("post", "/v1/memories/{memory_id}/forget", { path: { memory_id: memory.id }, body: {} });
        toast(t("memory.forgotten"));
        await this.reload();
      },
    });
  }

  projects() {
    return {
      listing: listing({
        page: async (cursor) => {
          const told = { query: { team_id: this.team, cursor, limit: 50 }, signal: this.gone.signal };
          const { projects, next_cursor } = await this.client.call("get", "/v1/projects", told);
          return { rows: projects, next: next_cursor };
        },
        row: (/** @type {Project} */ each) =>
          h(
            "li",
            null,
            h("div", { class: "grow" }, link(this.at("memory", ["projects", each.id]), h("strong", null, each.name)), h("div", { class: "quiet" }, each.description), h("small", { class: "mono" }, each.path)),
            h("small", null, t("memory.links", { n: each.knowledge_item_ids.length }), " · ", when(each.updated_at)),
          ),
        none: empty(t("memory.no_projects")),
      }),
    };
  }

  addProject() {
    const [name, path] = [input({ required: true, maxlength: 200 }), input({ required: true, maxlength: 200, placeholder: "projects/x" })];
    const description = h("textarea", { rows: 3, maxlength: 2000 });
    dialog(t("memory.new_project"), (close) =>
      form(
        async () => {
          const body = { name: name.value, path: path.value, description: description.value, team_id: this.team };
          const made = await this.client.call("post", "/v1/projects", { body });
          close();
          await this.stage.go(this.at("memory", ["projects", made.id]));
        },
        t("parts.save"),
        field(t("knowledge.name"), name),
        field(t("memory.path"), path, { hint: t("memory.project_hint") }),
        field(t("knowledge.description"), description),
      ),
    );
  }

  /** @param {string} id */
  async project(id) {
    const told = { path: { project_id: id }, signal: this.gone.signal };
    const project = await this.client.call("get", "/v1/projects/{project_id}", told);
    const links = h("ul", { class: "rows" }, project.knowledge_items.map((each) => this.linked(project, each)));
    const wanted = input({ required: true, placeholder: "item_…", "aria-label": t("memory.link_hint") });
    const add = form(
      async () => {
        const item = cited(wanted.value)?.item ?? wanted.value.trim();
        await this.client.call("post", "/v1/projects/{project_id}/links", { ...told, body: { knowledge_item_ids: [item] } });
        await this.reload();
      },
      t("memory.link"),
      field(t("memory.link_hint"), wanted),
    );
    fill(
      /** @type {HTMLElement} */ (this.body),
      h("h2", null, project.name),
      h("p", null, project.description),
      h("p", null, link(this.at("memory", ["records"], { path: project.path }), t("memory.its_records", { path: project.path }))),
      h("h3", null, t("memory.linked")),
      project.knowledge_items.length ? links : h("p", { class: "quiet" }, t("memory.no_links")),
      this.writes ? add : null,
      this.writes ? h("div", { class: "actions" }, button(t("memory.end_project"), () => this.end(project), { class: "plain" })) : null,
    );
  }

  /** @param {Project} project @param {Schemas["LinkedItemAnswer"]} item */
  linked(project, item) {
    const told = { path: { project_id: project.id }, body: { knowledge_item_ids: [item.id] } };
    const unlink = async () => {
      await this.client.call("post", "/v1/projects/{project_id}/unlink", told);
      await this.reload();
    };
    return h(
      "li",
      null,
      item.title === null
        ? h("span", { class: "grow quiet" }, t("memory.gone"), " ", h("code", null, item.id))
        : link(this.at("knowledge", [item.id]), item.title, { class: "grow" }),
      this.writes ? button(t("memory.unlink"), unlink, { class: "plain", "aria-label": `${t("memory.unlink")}: ${item.title ?? item.id}` }) : null,
    );
  }

  /** @param {Project} project */
  end(project) {
    confirm({
      title: t("memory.end_project"),
      text: t("memory.end_text", { name: project.name }),
      act: t("memory.end_project"),
      danger: true,
      work: async () => {
        await this.client.call("delete", "/v1/projects/{project_id}", { path: { project_id: project.id } });
        await this.stage.go(this.at("memory", ["projects"]));
      },
    });
  }

  /** @param {string} status */
  todos(status) {
    const shown = select([["open", t("memory.open")], ["done", t("memory.done")], ["any", t("knowledge.all")]], { value: status, "aria-label": t("memory.todos") });
    shown.addEventListener("change", () => this.stage.go(this.at("memory", ["todos"], { status: shown.value })));
    return {
      above: h("div", { class: "actions" }, shown),
      listing: listing({
        page: async (cursor) => {
          const told = { query: { team_id: this.team, status, cursor, limit: 50 }, signal: this.gone.signal };
          const { todos, next_cursor } = await this.client.call("get", "/v1/todos", told);
          return { rows: todos, next: next_cursor };
        },
        row: (/** @type {Schemas["TodoAnswer"]} */ each) => this.todo(each),
        none: empty(t("memory.no_todos")),
      }),
    };
  }

  /** @param {Schemas["TodoAnswer"]} todo */
  todo(todo) {
    const complete = async () => {
      await this.client.call("post", "/v1/todos/{todo_id}/complete", { path: { todo_id: todo.id } });
      await this.reload();
    };
    return h(
      "li",
      null,
      h("div", { class: "grow" }, h("p", { class: "passage" }, todo.content), h("small", null, this.from(todo.source), " · ", when(todo.created_at), todo.path ? ` · ${todo.path}` : "")),
      todo.due_at ? badge(t("memory.due", { day: moment(todo.due_at) }), "warn") : null,
      todo.status === "done" ? badge(t("memory.done"), "good") : this.writes ? button(t("memory.complete"), complete, { class: "plain" }) : null,
    );
  }

  addTodo() {
    const content = h("textarea", { rows: 3, required: true, maxlength: 20000 });
    const due = input({ type: "datetime-local" });
    dialog(t("memory.new_todo"), (close) =>
      form(
        async () => {
          const body = { content: content.value, team_id: this.team, due_at: instant(due.value) };
          await this.client.call("post", "/v1/todos", { body });
          close();
          await this.reload();
        },
        t("parts.save"),
        field(t("memory.content"), content),
        field(t("memory.due_at"), due),
      ),
    );
  }

  timeline() {
    return {
      listing: listing({
        page: async () => {
          const told = { query: { team_id: this.team, limit: 100 }, signal: this.gone.signal };
          const { events } = await this.client.call("get", "/v1/timeline/events", told);
          return { rows: events, next: null };
        },
        row: (/** @type {Schemas["EventAnswer"]} */ each) =>
          h("li", null, h("small", null, moment(each.occurred_at)), h("div", { class: "grow" }, h("p", { class: "passage" }, each.content), h("small", null, this.from(each.source), each.path ? ` · ${each.path}` : ""))),
        none: empty(t("memory.no_events")),
        list: h("ol", { class: "rows" }),
      }),
    };
  }

  addEvent() {
    const content = h("textarea", { rows: 3, required: true, maxlength: 20000 });
    const at = input({ type: "datetime-local" });
    dialog(t("memory.new_event"), (close) =>
      form(
        async () => {
          await this.client.call("post", "/v1/timeline/events", { body: { content: content.value, team_id: this.team, occurred_at: instant(at.value) } });
          close();
          await this.reload();
        },
        t("parts.save"),
        field(t("memory.content"), content),
        field(t("memory.occurred_at"), at, { hint: t("memory.now") }),
      ),
    );
  }
}

/** A moment as a person types it, in their own time zone. @param {string} local */
const instant = (local) => (local ? new Date(local).toISOString() : null);

customElements.define("acervo-memory", MemoryPanel);

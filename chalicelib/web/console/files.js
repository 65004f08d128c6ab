/**
 * Bringing files: text and code are read here and sent; documents go straight to the bucket and are read by a worker,
 * whether or not this page stays open. What the worker has or had to do is a list of its own, from the server.
 */

import { Problem } from "./client.js";
import { fill, h } from "./dom.js";
import { badge, button, head, link, listing, sentence, tick, when } from "./parts.js";
import { posted } from "./posting.js";
import { maybe, size, t } from "./texts.js";
import { wishes } from "./wishes.js";

/** @typedef {import("./contract").Schemas} Schemas */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {Schemas["DocumentAnswer"]} Document */
/** @typedef {{file: File, locator: string}} Source */
/** @typedef {Source & {publish: boolean}} Brought */
/** @typedef {{max: number, uploaded: boolean}} Kind */

const AT_ONCE = 3;
const GLANCE_MS = 1200;
const BASE = "/api/v1/knowledge/bases/{base_id}";
/** @type {Record<string, string>} */
const KINDS = { ready: "good", failed: "bad", pending_upload: "warn", queued: "quiet", extracting: "quiet" };

/** @param {Panel} panel @param {string} id of the base */
export async function show(panel, id) {
  const told = { path: { base_id: id }, signal: panel.gone.signal };
  const [base, limits] = await Promise.all([
    panel.client.call("get", BASE, told),
    panel.client.call("get", "/api/v1/limits", { signal: panel.gone.signal }),
  ]);
  if (!panel.isHere(base.space_id)) return;
  const loader = new Loader(panel, base.id, taken(limits));
  const before = h("div");
  const list = () => {
    const made = documents(panel, base.id, loader);
    fill(before, made.element);
    return made.ready;
  };
  loader.drained = list;
  fill(
    panel,
    head({
      crumbs: [link(panel.at("knowledge"), t("knowledge.title")), " / ", link(panel.at("knowledge", [base.id]), base.name)],
      title: t("files.title"),
    }),
    h("div", { class: "stack" }, loader.zone(limits), loader.list, h("h2", null, t("files.before")), before),
  );
  panel.mayLeave = () => loader.underway === 0;
  await list();
}

/** @param {Schemas["LimitsAnswer"]} limits @returns {Map<string, Kind>} by extension */
function taken(limits) {
  const rows = /** @type {[Schemas["KindAnswer"][], boolean][]} */ ([[limits.text, false], [limits.documents, true]]);
  return new Map(rows.flatMap(([kinds, uploaded]) => kinds.map((each) => [each.extension, { max: each.max_bytes, uploaded }])));
}

class Loader {
  /** @param {Panel} panel @param {string} base @param {Map<string, Kind>} kinds */
  constructor(panel, base, kinds) {
    this.panel = panel;
    this.base = base;
    this.kinds = kinds;
    this.wishes = wishes(panel.client.session?.user_id ?? "");
    this.list = h("ul", { class: "rows loading", "aria-label": t("files.now") });
    this.publish = tick(t("files.publish"), { checked: true });
    /** @type {(() => Promise<void>)[]} */
    this.waiting = [];
    this.working = 0;
    /** @type {() => unknown} called when nothing is on its way any more */
    this.drained = () => null;
    /** Files that would be lost with the page: not sent yet. */
    this.underway = 0;
  }

  /** Where files are dropped or chosen. @param {Schemas["LimitsAnswer"]} limits */
  zone(limits) {
    const files = h("input", { type: "file", multiple: true, hidden: true, "aria-label": t("files.choose") });
    const folder = h("input", { type: "file", webkitdirectory: true, hidden: true, "aria-label": t("files.folder") });
    for (const each of [files, folder]) {
      each.addEventListener("change", () => {
        this.take([...(each.files ?? [])].map((file) => ({ file, locator: within(file) })));
        each.value = "";
      });
    }
    const names = [...limits.documents, ...limits.text].map((each) => each.extension);
    const zone = h(
      "div",
      { class: "zone" },
      h("p", null, t("files.drop")),
      h(
        "div",
        { class: "actions" },
        button(t("files.choose"), () => files.click()),
        button(t("files.folder"), () => folder.click(), { class: "plain" }),
      ),
      h("small", null, t("files.kinds", { kinds: names.join(", "), n: limits.max_pages })),
      this.publish.row,
      files,
      folder,
    );
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      dropped(event).then((sources) => this.take(sources));
    });
    return zone;
  }

  /** @param {Source[]} sources */
  take(sources) {
    for (const each of sources.sort((one, other) => one.locator.localeCompare(other.locator))) {
      const row = new Row(each);
      this.list.append(row.element);
      this.enqueue({ ...each, publish: this.publish.box.checked }, row);
    }
  }

  /** @param {Brought} source @param {Row} row */
  enqueue(source, row) {
    this.underway += 1;
    row.say("files.waiting");
    this.waiting.push(async () => {
      let sent = false;
      const done = () => {
        if (!sent) this.underway -= 1;
        sent = true;
      };
      try {
        await this.bring(source, row, done);
      } catch (fault) {
        const again = fault instanceof Problem && fault.status === 0;
        row.failed(fault, again ? () => this.enqueue(source, row) : null);
      } finally {
        done();
      }
    });
    this.work();
  }

  async work() {
    if (this.working >= AT_ONCE) return;
    const next = this.waiting.shift();
    if (!next) return;
    this.working += 1;
    await next();
    this.working -= 1;
    if (!this.working && !this.waiting.length) this.drained();
    this.work();
  }

  /** @param {Brought} source @param {Row} row @param {() => void} sent called once it is safe to go away */
  async bring({ file, locator, publish }, row, sent) {
    const extension = locator.toLowerCase().split(".").at(-1) ?? "";
    const kind = this.kinds.get(extension);
    if (!kind) throw new Problem(422, { code: "unsupported_format", found: extension, instead: [...this.kinds.keys()].join(", ") });
    if (file.size > kind.max) throw new Problem(413, { code: "document_too_large", limit: size(kind.max), what: "" });
    if (kind.uploaded) return row.ready(this.to(await this.upload(file, locator, publish, row, sent)));
    const item = await this.send(file, locator, row);
    sent();
    if (publish) await this.makePublic(item);
    row.ready(this.to(item.id));
  }

  /** @param {string | null | undefined} item */
  to(item) {
    return item && this.panel.at("knowledge", [item]);
  }

  /** @param {Schemas["ItemAnswer"]} item */
  async makePublic({ id, status }) {
    if (status !== "draft" || !this.panel.may("item:write")) return;
    await this.panel.client.call("post", "/api/v1/knowledge/items/{item_id}/publish", { path: { item_id: id } });
  }

  /** Text and code: the item at the locator, or its next revision. @param {File} file @param {string} locator @param {Row} row */
  async send(file, locator, row) {
    row.say("files.uploading");
    const { client } = this.panel;
    const path = { base_id: this.base };
    const found = await client.call("get", `${BASE}/items`, { path, query: { locator } });
    const content = { filename: locator, bytes_base64: await base64(file) };
    const [before] = found.items;
    if (!before) {
      return client.call("post", `${BASE}/items`, { path, body: { source_type: "file", locator, ...content } });
    }
    return client.call("patch", "/api/v1/knowledge/items/{item_id}", {
      path: { item_id: before.id },
      body: { expected_revision_id: before.current_revision_id, ...content },
    });
  }

  /**
   * A document: announced, uploaded, and read by a worker.
   * @param {File} file @param {string} locator @param {boolean} publish @param {Row} row @param {() => void} sent
   */
  async upload(file, locator, publish, row, sent) {
    const body = { filename: locator, size: file.size, knowledge_base_id: this.base, locator };
    const asked = await this.panel.client.call("post", "/api/v1/documents", { body });
    if (publish) this.wishes.add(asked.document_id);
    await posted(asked.upload, file, (share) => row.progress("files.uploading", share));
    sent();
    return this.settled(asked.document_id, row);
  }

  /**
   * The id of a document's item once it is ready, and published if that was wished. Raises Problem if it fails.
   * @param {string} id @param {Row} row @param {AbortSignal} [signal]
   */
  async settled(id, row, signal) {
    const { knowledge_item_id: item } = await this.follow(id, row, signal);
    if (item) {
      await this.wishes.fulfil(id, async () =>
        this.makePublic(await this.panel.client.call("get", "/api/v1/knowledge/items/{item_id}", { path: { item_id: item } })),
      );
    }
    return item;
  }

  /**
   * Watch a document until it is ready. Raises Problem if it fails.
   * @param {string} id @param {Row} row @param {AbortSignal} [signal] none for what was brought just now: wherever one goes in
   * the console, it is published when it is ready
   */
  async follow(id, row, signal) {
    for (;;) {
      const told = { path: { document_id: id }, ...(signal ? { signal } : {}) };
      const found = await this.panel.client.call("get", "/api/v1/documents/{document_id}", told);
      if (found.status === "ready") return found;
      if (found.status === "failed") throw new Problem(422, { code: found.failure?.code, detail: found.failure?.message });
      row.reading(found);
      await new Promise((resolve) => setTimeout(resolve, GLANCE_MS));
      signal?.throwIfAborted();
    }
  }
}

/** One file on its way. */
class Row {
  /** @param {Source} source */
  constructor({ file, locator }) {
    this.bar = h("progress", { max: 1, "aria-label": locator });
    this.state = h("span", { role: "status" });
    this.after = h("span", { class: "actions" });
    this.element = h("li", null, h("div", { class: "grow" }, h("strong", null, locator), " ", h("small", null, size(file.size)), this.bar), this.state, this.after);
  }

  /** @param {"files.waiting" | "files.uploading" | "files.queued"} key */
  say(key) {
    this.bar.hidden = false;
    this.bar.removeAttribute("value");
    fill(this.state, t(key));
    fill(this.after);
  }

  /** @param {"files.uploading"} key @param {number} share from 0 to 1 */
  progress(key, share) {
    this.bar.value = share;
    fill(this.state, t(key));
  }

  /** @param {Document} found */
  reading(found) {
    const { done, total } = found.progress;
    if (found.status !== "extracting") return this.say("files.queued");
    if (total) this.bar.value = done / total;
    fill(this.state, total ? t("files.extracting", { done, total }) : t("files.extracting_begun"));
  }

  /** @param {string | null | undefined} href */
  ready(href) {
    this.bar.hidden = true;
    fill(this.state, badge(t("files.ready"), "good"));
    fill(this.after, href ? link(href, t("files.open")) : null);
  }

  /** @param {unknown} fault @param {(() => void) | null} again */
  failed(fault, again) {
    if (fault instanceof DOMException) return; // the page has gone on; the server goes on too
    this.bar.hidden = true;
    fill(this.state, badge(t("files.failed"), "bad"), " ", sentence(fault));
    fill(this.after, again ? button(t("parts.retry"), again, { class: "plain" }) : null);
  }
}

/** What the server knows of the base's documents. @param {Panel} panel @param {string} base @param {Loader} loader */
function documents(panel, base, loader) {
  return listing({
    page: async (cursor) => {
      const told = { query: { knowledge_base_id: base, cursor, limit: 20 }, signal: panel.gone.signal };
      const { documents: rows, next_cursor } = await panel.client.call("get", "/api/v1/documents", told);
      return { rows, next: next_cursor };
    },
    row: (found) => documentRow(panel, found, loader),
    none: h("p", { class: "quiet" }, t("files.none")),
  });
}

/** @param {Panel} panel @param {Document} found @param {Loader} loader */
function documentRow(panel, found, loader) {
  const failure = found.failure && (maybe(`problems.${found.failure.code}`) ?? found.failure.message);
  const settled = found.status === "ready" || found.status === "failed";
  const retry = async () => {
    await panel.client.call("post", "/api/v1/documents/{document_id}/retry", { path: { document_id: found.id } });
    await show(panel, found.knowledge_base_id);
  };
  const original = async () => {
    const { url } = await panel.client.call("get", "/api/v1/documents/{document_id}/original", { path: { document_id: found.id } });
    window.open(url, "_blank", "noopener,noreferrer");
  };
  const remove = async () => {
    await panel.client.call("delete", "/api/v1/documents/{document_id}", { path: { document_id: found.id } });
    element.remove();
  };
  const state = h("span", null, badge(t(/** @type {any} */ (`files.${found.status}`), { done: found.progress.done, total: found.progress.total }), KINDS[found.status]));
  const element = h(
    "li",
    null,
    h(
      "div",
      { class: "grow" },
      found.knowledge_item_id ? link(panel.at("knowledge", [found.knowledge_item_id]), h("strong", null, found.filename)) : h("strong", null, found.filename),
      " ",
      h("small", null, size(found.size), found.origin === "drop" ? ` · ${t("files.dropped")}` : "", " · ", when(found.updated_at)),
      failure ? h("div", { class: "bad" }, failure) : null,
    ),
    state,
    found.status === "pending_upload" ? null : button(t("files.original"), original, { class: "plain", "aria-label": `${t("files.original")}: ${found.filename}` }),
    found.failure?.retryable ? button(t("parts.retry"), retry, { class: "plain" }) : null,
    settled ? button(t("parts.remove"), remove, { class: "plain", "aria-label": `${t("parts.remove")}: ${found.filename}` }) : null,
  );
  const late = found.status === "ready" && loader.wishes.has(found.id);
  if (late || (!settled && found.status !== "pending_upload")) watch(panel, found, state, loader);
  return element;
}

/** A document that was under way when the page was opened. @param {Panel} panel @param {Document} found @param {HTMLElement} state @param {Loader} loader */
async function watch(panel, found, state, loader) {
  const row = new Row({ file: new File([], found.filename), locator: found.filename });
  row.state = state;
  try {
    await loader.settled(found.id, row, panel.gone.signal);
    fill(state, badge(t("files.ready"), "good"));
  } catch (fault) {
    row.failed(fault, null);
  }
}

/** @param {File} file as a folder's choice names it */
const within = (file) => file.webkitRelativePath.split("/").slice(1).join("/") || file.name;

/** What was dropped, folders opened. @param {DragEvent} event @returns {Promise<Source[]>} */
async function dropped(event) {
  const entries = [...(event.dataTransfer?.items ?? [])].map((each) => each.webkitGetAsEntry()).filter((each) => each !== null);
  if (!entries.length) return [...(event.dataTransfer?.files ?? [])].map((file) => ({ file, locator: file.name }));
  return (await Promise.all(entries.map((each) => opened(each, each.isDirectory ? each.name.length + 2 : 1)))).flat();
}

/** @param {FileSystemEntry} entry @param {number} skip of its path @returns {Promise<Source[]>} */
async function opened(entry, skip) {
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [{ file: /** @type {File} */ (file), locator: entry.fullPath.slice(skip) }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {Source[]} */
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const each of some) found.push(...(await opened(each, skip)));
  }
}

/** @param {File} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,?/, ""));
    reader.onerror = () => reject(new Problem(0, { code: "unreadable_here" }));
    reader.readAsDataURL(file);
  });
}

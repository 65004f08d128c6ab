/** The answer page: asks, reads the stream, shows what comes. */

import { rendered } from "./components.js";
import { proof } from "./proof.js";
import { chunks } from "./stream.js";
import { TEXTS, chosen, filled } from "./texts.js";

/** @typedef {import("./texts.js").Texts} Texts */

const pageId = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) ?? "");
const door = new URL(`../pages/${encodeURIComponent(pageId)}`, location.href).href;

/** @param {string} selector @returns {HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

const form = /** @type {HTMLFormElement} */ (find("#ask"));
const question = /** @type {HTMLTextAreaElement} */ (find("#question"));
const submit = /** @type {HTMLButtonElement} */ (find("#ask button"));
const status = find("#status");

/** @type {Texts} */
let texts = TEXTS[chosen(navigator.languages, "en")];
/** @type {string | undefined} */
let conversationId;
/** @type {AbortController | null} */
let underway = null;

/** What a door refused, told for people. */
class Refusal extends Error {}

/** @param {Response} response @returns {Promise<string>} */
const code = async (response) => String((await response.json().catch(() => ({}))).code ?? "");

/** @param {Response} response */
async function refusal(response) {
  const wait = Number(response.headers.get("retry-after"));
  const sentence = response.status === 404 ? texts.missing : texts.failed;
  const hint = wait > 1 && wait < 3600 ? ` ${filled(texts.retry_after, { seconds: wait })}` : "";
  return new Refusal(sentence + hint);
}

/** The tab's session; opened with a proof when it is first needed. */
const session = {
  /** @type {Promise<string> | null} */
  opening: null,
  key: `session:${pageId}`,

  /** @returns {Promise<string>} */
  token() {
    const kept = sessionStorage.getItem(this.key);
    if (kept) return Promise.resolve(kept);
    this.opening ??= this.open().finally(() => (this.opening = null));
    return this.opening;
  },

  async open() {
    const asked = await fetch(`${door}/challenge`);
    if (!asked.ok) throw await refusal(asked);
    const solved = await proof(await asked.json());
    const response = await fetch(`${door}/sessions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proof: solved }),
    });
    if (!response.ok) throw await refusal(response);
    const token = String((await response.json()).session);
    sessionStorage.setItem(this.key, token);
    return token;
  },

  forget() {
    sessionStorage.removeItem(this.key);
    conversationId = undefined;
  },
};

/**
 * @param {string} asked
 * @param {AbortSignal} signal
 * @returns {Promise<Response>}
 */
async function post(asked, signal) {
  const send = async () =>
    fetch(`${door}/turns`, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "x-acervo-session": await session.token(),
      },
      body: JSON.stringify({ question: asked, ...(conversationId ? { conversationId } : {}) }),
    });
  const response = await send();
  const refused = response.ok ? "" : await code(response.clone());
  if (refused === "session_required") {
    session.forget(); // it has expired; a new one is a new conversation
  } else if (refused === "not_found" && conversationId) {
    conversationId = undefined; // it has expired, not the page
  } else {
    return response;
  }
  return send();
}

/** One question with its answer, as it is shown. */
class Turn {
  /** @param {string} asked */
  constructor(asked) {
    this.asked = asked;
    const template = /** @type {HTMLTemplateElement} */ (find("#turn"));
    const made = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    this.article = /** @type {HTMLElement} */ (made.querySelector("article"));
    this.part(".question").textContent = asked;
    for (const each of /** @type {NodeListOf<HTMLElement>} */ (this.article.querySelectorAll("[data-text]"))) {
      each.textContent = texts[each.dataset.text ?? ""];
    }
    this.part(".stop").addEventListener("click", () => underway?.abort("stopped"));
    this.part(".again").addEventListener("click", () => {
      this.article.remove();
      ask(asked);
    });
    this.progress(texts.waiting);
    /** @type {Map<string, HTMLElement>} */
    this.sections = new Map();
    /** @type {string | undefined} */
    this.conversationId = undefined;
    this.complete = false;
    this.failed = "";
  }

  /** @param {string} selector @returns {HTMLElement} */
  part(selector) {
    return /** @type {HTMLElement} */ (this.article.querySelector(selector));
  }

  /** @param {string} line */
  progress(line) {
    this.part(".progress").textContent = line;
    status.textContent = line;
  }

  /** @param {{type: string} & Record<string, any>} chunk */
  take(chunk) {
    switch (chunk.type) {
      case "data-conversation":
        this.conversationId = chunk.data.conversationId;
        break;
      case "data-progress":
        this.progress(chunk.data.line);
        break;
      case "text-delta":
        this.part(".answer").append(chunk.delta);
        break;
      case "data-section":
        this.show(chunk.id, chunk.data);
        break;
      case "data-sections":
        this.settle(chunk.data);
        break;
      case "error":
        this.failed = chunk.errorText;
        break;
    }
  }

  /** @param {string} id @param {any} data */
  show(id, data) {
    const made = rendered(data, texts);
    if (!made) return;
    this.sections.get(id)?.remove();
    this.sections.set(id, made);
    this.part(".sections").append(made);
  }

  /** @param {{ids: string[], final: boolean, language: string}} listed */
  settle(listed) {
    this.complete = listed.final;
    this.part(".answer").lang = listed.language;
    this.part(".sections").lang = listed.language;
    for (const [id, shown] of this.sections) if (!listed.ids.includes(id)) shown.remove();
  }

  /** @param {string} trouble nothing if all went well */
  end(trouble) {
    this.part(".progress").remove();
    this.part(".stop").remove();
    this.part(".again").hidden = !trouble;
    this.part(".trouble").hidden = !trouble;
    this.part(".trouble").textContent = trouble;
    status.textContent = trouble || `${this.part(".answer").textContent} ${texts.ready}`;
  }
}

/** @param {string} asked */
async function ask(asked) {
  underway?.abort("stopped");
  const mine = (underway = new AbortController());
  const turn = new Turn(asked);
  find("#welcome").hidden = true;
  find("#turns").append(turn.article);
  turn.article.scrollIntoView({ block: "start" });
  submit.disabled = true;
  turn.end(await trouble(turn, mine.signal));
  // A conversation is written with its first whole answer.
  if (turn.complete) conversationId = turn.conversationId;
  if (underway === mine) {
    underway = null;
    submit.disabled = false;
  }
}

/**
 * What went wrong with the turn; nothing if it came to its end.
 * @param {Turn} turn
 * @param {AbortSignal} signal
 */
async function trouble(turn, signal) {
  try {
    const response = await post(turn.asked, signal);
    if (!response.ok) throw await refusal(response);
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) return texts.failed;
    for await (const chunk of chunks(response.body)) turn.take(chunk);
    return turn.failed || (turn.complete ? "" : texts.interrupted);
  } catch (fault) {
    if (signal.aborted) return texts.stopped;
    if (fault instanceof Refusal) return fault.message;
    return turn.conversationId ? texts.interrupted : texts.offline; // which is the first thing that arrives
  }
}

function grow() {
  question.style.height = "auto";
  question.style.height = `${question.scrollHeight}px`;
}

/** @param {any} about */
function introduce(about) {
  const language = chosen(navigator.languages, about?.language ?? "en");
  texts = TEXTS[language];
  document.documentElement.lang = language;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-text]"))) {
    each.textContent = texts[each.dataset.text ?? ""];
  }
  question.placeholder = texts.placeholder;
  find("#welcome").textContent = texts.welcome;
  if (!about) return;
  find("#name").textContent = about.name;
  document.title = about.name;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = question.value.trim();
  if (!asked || submit.disabled) return;
  question.value = "";
  grow();
  ask(asked);
});
question.addEventListener("input", grow);
question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
// The proof takes a second: by the time a question is typed, it is done.
question.addEventListener("focus", () => session.token().catch(() => {}), { once: true });

introduce(null);
try {
  const response = await fetch(door);
  if (!response.ok) throw await refusal(response);
  introduce(await response.json());
} catch (fault) {
  find("#welcome").textContent = fault instanceof Refusal ? fault.message : texts.offline;
  form.hidden = true;
}

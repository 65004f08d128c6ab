// The chat of the npm package `ai` over recorded streams (stdin: a list of {name, status, headers, body}), or over a
// live door ({url, session, questions}). Prints, for each, what its user would be left with.
import { AbstractChat, DefaultChatTransport } from "ai";

class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (index, message) => (this.messages = this.messages.with(index, message));
  snapshot = (thing) => structuredClone(thing);
}

class Chat extends AbstractChat {
  constructor(transport, seen) {
    const state = new State();
    super({
      transport,
      state,
      generateId: () => `client-${Math.random()}`,
      onData: (part) => seen.push(part),
      onError: (error) => (this.failure = String(error.message ?? error)),
      onFinish: ({ isAbort, isDisconnect, isError, finishReason }) =>
        (this.finish = { isAbort, isDisconnect, isError, finishReason }),
    });
    this.kept = state;
  }
}

const summary = (name, chat, seen) => ({
  name,
  status: chat.kept.status,
  failure: chat.failure ?? null,
  finish: chat.finish ?? null,
  data: seen,
  message: chat.kept.messages.filter((each) => each.role === "assistant").at(-1) ?? null,
});

async function recorded(stream) {
  const fetch = async () =>
    new Response(Buffer.from(stream.body, "base64"), { status: stream.status, headers: stream.headers });
  const seen = [];
  const chat = new Chat(new DefaultChatTransport({ api: "http://recorded.invalid/", fetch }), seen);
  await chat.sendMessage({ text: "?" });
  return summary(stream.name, chat, seen);
}

async function live({ url, session, questions }) {
  const seen = [];
  const transport = new DefaultChatTransport({ api: url, headers: { "x-acervo-session": session } });
  const chat = new Chat(transport, seen);
  const told = [];
  for (const question of questions) {
    if (question === null) await chat.regenerate();
    else await chat.sendMessage({ text: question });
    told.push(summary(question ?? "(regenerated)", chat, seen.splice(0)));
    await new Promise((resolve) => setTimeout(resolve, 2100)); // the page's cool-down
  }
  return told;
}

const given = JSON.parse(await new Response(process.stdin).text());
const told = Array.isArray(given) ? await Promise.all(given.map(recorded)) : await live(given);
console.log(JSON.stringify(told));

// A small language model behind `/v1/chat/completions` with JSON schemas, as Ollama or vLLM would serve it.
// usage: node small_model.mjs FOLDER_WITH_NODE_MODULES MODEL.gguf; prints its port once it listens.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, weights] = process.argv.slice(2);
const found = createRequire(`${folder}/`).resolve("node-llama-cpp");
const { getLlama, LlamaChatSession } = await import(pathToFileURL(found).href);
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" });
const model = await llama.loadModel({ modelPath: weights });
let turn = Promise.resolve();

async function answer({ messages, max_tokens, temperature, response_format }) {
  const context = await model.createContext({ contextSize: 4096, threads: 1 });
  try {
    const system = messages.find((each) => each.role === "system")?.content ?? "";
    const session = new LlamaChatSession({ contextSequence: context.getSequence(), systemPrompt: system });
    const schema = response_format?.json_schema?.schema;
    const grammar = schema ? await llama.createGrammarForJsonSchema(inlined(schema)) : undefined;
    const asked = messages.filter((each) => each.role === "user").at(-1)?.content ?? "";
    return await session.prompt(asked.slice(0, 6000), { grammar, maxTokens: max_tokens, temperature });
  } finally {
    await context.dispose();
  }
}

/** The runtime's grammars know no references. */
function inlined(schema) {
  const named = schema.$defs ?? {};
  const walk = (each) => {
    if (Array.isArray(each)) return each.map(walk);
    if (each === null || typeof each !== "object") return each;
    if (each.$ref) return walk(named[each.$ref.split("/").at(-1)]);
    return Object.fromEntries(Object.entries(each).filter(([name]) => name !== "$defs").map(([name, value]) => [name, walk(value)]));
  };
  return walk(schema);
}

const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    // One at a time: the machine has few cores.
    turn = turn.then(async () => {
      try {
        const content = await answer(JSON.parse(Buffer.concat(pieces).toString()));
        const body = { choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }], usage: { prompt_tokens: 1, completion_tokens: 1 } };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      } catch (fault) {
        response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: String(fault) } }));
      }
      console.error(JSON.stringify({ status: response.statusCode }));
    });
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

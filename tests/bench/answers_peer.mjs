// The AI SDK's own Node server with the scripted model of tests/bench/answers.py: the same chunks, as many, as fast as
// they can be written. Listens on a free port of this machine and prints it.
import { createServer } from "node:http";
import { createUIMessageStream, pipeUIMessageStreamToResponse } from "ai";

const script = JSON.parse(process.argv[2]);
let turns = 0;

createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const turn = `turn_${turns++}`;
    const stream = createUIMessageStream({
      generateId: () => turn,
      execute: async ({ writer }) => {
        for (const chunk of script) {
          writer.write(chunk.type === "start" ? { ...chunk, messageId: turn } : chunk);
          await new Promise(setImmediate); // as a model's tokens come: one by one
        }
      },
    });
    pipeUIMessageStreamToResponse({ response, stream });
  });
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});

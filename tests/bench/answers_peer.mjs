// The AI SDK's own Node server with the scripted model of tests/bench/answers_door.py: the same chunks, at the same
// pace. Listens on a free port of this machine and prints it.
import { createServer } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { createUIMessageStream, pipeUIMessageStreamToResponse } from "ai";

const script = JSON.parse(process.argv[2]);
const pace = Number(process.argv[3]);

createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const stream = createUIMessageStream({
      execute: async ({ writer }) => {
        for (const chunk of script) {
          if (pace) await after(pace);
          writer.write(chunk);
        }
      },
    });
    pipeUIMessageStreamToResponse({ response, stream });
  });
}).listen(0, "127.0.0.1", function () {
  console.log(this.address().port);
});

/** Reading a stream of server-sent events that a POST answers with. */

/**
 * The chunks of an answer, as they come. The protocol's closing `[DONE]` is left out.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<{type: string} & Record<string, any>>}
 */
export async function* chunks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = payload(event);
        if (data && data !== "[DONE]") yield JSON.parse(data);
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * What an event carries; nothing if it is a comment.
 * @param {string} event
 */
function payload(event) {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n");
}

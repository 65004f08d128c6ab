// A TypeScript SDK's client against /mcp: list, call, error, missing scope, wrong profile. Prints one JSON object.
// usage: node typescript.mjs v1|v2, with {url, full, weak, public} on standard input.
const which = process.argv[2];
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const given = JSON.parse(Buffer.concat(chunks).toString('utf8'));

const { Client, StreamableHTTPClientTransport } =
  which === 'v1'
    ? {
        ...(await import('@modelcontextprotocol/sdk/client/index.js')),
        ...(await import('@modelcontextprotocol/sdk/client/streamableHttp.js')),
      }
    : await import('@modelcontextprotocol/client');

async function connected(token) {
  const client = new Client({ name: `acervo-check-${which}`, version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(given.url), { requestInit }));
  return client;
}

async function refusal(token, name, args) {
  try {
    const client = await connected(token);
    await client.callTool({ name, arguments: args });
    return 'not refused';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const client = await connected(given.full);
const tools = (await client.listTools()).tools.map((each) => each.name);
const called = await client.callTool({ name: 'remember', arguments: { content: `Remembered by TypeScript ${which}` } });
const wrong = await client.callTool({ name: 'remember', arguments: { contents: 'x' } });
await client.close();
console.log(
  JSON.stringify({
    version: client.getNegotiatedProtocolVersion?.() ?? null,
    tools,
    called: called.structuredContent,
    error: wrong.isError ? wrong.structuredContent : null,
    missing_scope: await refusal(given.weak, 'remember', { content: 'x' }),
    wrong_profile: await refusal(given.public, 'search_knowledge', { query: 'x' }),
  }),
);

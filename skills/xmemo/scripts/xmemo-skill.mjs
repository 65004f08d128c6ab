#!/usr/bin/env node
// A command-line client for memory: Node 20 or newer, nothing else. See ../SKILL.md.
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const VERSION = '1.0.0';
const CLIENT_ID = 'xmemo-skill';
const SCOPES = ['memory:read', 'memory:write', 'memory:restore', 'knowledge:read'];
const EXIT = { ok: 0, refused: 1, usage: 2, login: 3, forbidden: 4, missing: 5, conflict: 6, limited: 7, server: 8 };
const EXIT_OF_STATUS = { 401: EXIT.login, 403: EXIT.forbidden, 404: EXIT.missing, 409: EXIT.conflict, 429: EXIT.limited };
const TIMEOUT_MS = 30_000;
const MAX_ANSWER = 8 * 1024 * 1024;
const ID = /^[a-z0-9_]{1,80}$/;

class Failure extends Error {
  constructor(exit, code, message, facts = {}) {
    super(message);
    Object.assign(this, { exit, code, facts });
  }
}

// Each command: the flags it takes, those it needs, what it does, and how its result reads to a person.
const COMMANDS = {
  doctor: { flags: [], anonymous: true, run: (c) => operation(c, 'doctor'), show: doctorText },
  remember: {
    flags: ['content', 'path', 'bucket', 'memory_type', 'team_id', 'agent_id', 'agent_instance_id'],
    needs: ['content'],
    run: (c) => operation(c, 'remember'),
    show: (id) => `Remembered as ${id}.`,
  },
  recall: { flags: ['query', 'limit', 'path', 'bucket', 'memory_type', 'team_id'], needs: ['query'], run: (c) => operation(c, 'recall'), show: recordsText },
  search: { flags: ['query', 'limit', 'path', 'bucket', 'memory_type', 'team_id'], needs: ['query'], run: (c) => operation(c, 'search'), show: recordsText },
  'recall-context': {
    flags: ['query', 'max_items', 'max_tokens', 'path', 'bucket', 'memory_type', 'team_id', 'prefer_working', 'include_knowledge'],
    needs: ['query'],
    run: (c) => call(c, 'POST', '/v1/recall/context', c.flags),
    show: packText,
  },
  read: { flags: ['id'], needs: ['id'], run: (c) => call(c, 'GET', `/v1/memories/${c.flags.id}/explain`), show: recordText },
  update: {
    flags: ['id', 'content', 'path', 'bucket', 'memory_type'],
    needs: ['id'],
    run: ({ flags: { id, ...changes }, ...c }) => call(c, 'PATCH', `/v1/memories/${id}`, changes),
    show: (record) => `Changed ${record.id}; it is at version ${record.version}.`,
  },
  forget: { flags: ['id', 'confirm', 'reason'], needs: ['id'], run: forget, show: (done) => `Forgot ${done.id}.` },
  'todo-add': { flags: ['content', 'due_at', 'path', 'team_id'], needs: ['content'], run: (c) => operation(c, 'todo-add'), show: (todo) => `Noted ${todo.id}: ${todo.content}` },
  'todo-list': { flags: ['status', 'limit', 'team_id'], run: (c) => operation(c, 'todo-list'), show: todosText },
  'todo-done': { flags: ['id'], needs: ['id'], run: (c) => operation(c, 'todo-done'), show: (todo) => `Done: ${todo.content}` },
  'save-state': { flags: ['key', 'content', 'current_task', 'next_action', 'blocked_reason', 'team_id'], run: (c) => operation(c, 'state-save'), show: (state) => `Saved the state ${state.state_key}.` },
  'restore-state': { flags: ['key', 'team_id'], run: (c) => operation(c, 'state-restore'), show: (state) => state.content },
  login: { flags: [], anonymous: true, run: login, show: (done) => `Logged in as ${done.user_id}. The token is kept in ${done.file}.` },
  logout: { flags: [], anonymous: true, run: logout, show: (done) => (done.revoked ? 'Logged out; the token is revoked.' : done.message) },
  'auth status': { flags: [], anonymous: true, run: authStatus, show: authText },
  'auth add': { flags: [], anonymous: true, run: authAdd, show: (done) => `The token is kept in ${done.file}.` },
};
const BARE = new Set(['confirm', 'include_knowledge', 'prefer_working']);
const HIDDEN_ALIASES = { 'state-save': 'save-state', 'state-restore': 'restore-state', 'auth-status': 'auth status' };

// ---- What was asked -----------------------------------------------------------------------------------------------

function parse(argv) {
  const words = [];
  const flags = {};
  const options = { json: false, baseUrl: process.env.XMEMO_BASE_URL ?? '' };
  for (let at = 0; at < argv.length; at += 1) {
    if (!argv[at].startsWith('--')) {
      words.push(argv[at]);
      continue;
    }
    const [name, ...rest] = argv[at].slice(2).split('=');
    let value = rest.length ? rest.join('=') : undefined;
    if (name === 'json' || name === 'help') {
      options[name] = true;
      continue;
    }
    const next = argv[at + 1];
    if (value === undefined && next !== undefined && !next.startsWith('--') && (!BARE.has(name) || /^(true|false)$/.test(next))) {
      value = next;
      at += 1;
    }
    if (value === undefined && !BARE.has(name)) throw new Failure(EXIT.usage, 'usage', `--${name} needs a value.`);
    if (name === 'base-url') options.baseUrl = value;
    else if (Object.hasOwn(flags, name)) throw new Failure(EXIT.usage, 'usage', `--${name} is given twice.`);
    else flags[name] = value ?? 'true';
  }
  return { words, flags, options };
}

function chosen(words, flags) {
  const two = words.slice(0, 2).join(' ');
  const asked = words[0] === 'auth' ? two : words[0];
  const name = HIDDEN_ALIASES[asked] ?? asked;
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) throw new Failure(EXIT.usage, 'usage', `There is no command ${JSON.stringify(asked ?? '')}.\n\n${help()}`);
  if (words.length > name.split(' ').length) {
    throw new Failure(EXIT.usage, 'usage', `What is ${JSON.stringify(words.at(-1))}? Put texts behind their flag, in quotes.`);
  }
  const unknown = Object.keys(flags).find((each) => !command.flags.includes(each));
  if (unknown) throw new Failure(EXIT.usage, 'usage', `${name} takes no --${unknown}. It takes: ${listed(command.flags)}.`);
  const missing = (command.needs ?? []).find((each) => !flags[each]?.trim());
  if (missing) throw new Failure(EXIT.usage, 'usage', `${name} needs --${missing}.`);
  if (flags.id !== undefined && !ID.test(flags.id)) throw new Failure(EXIT.usage, 'usage', 'An id is lower-case letters, digits and _.');
  return { name, command };
}

const listed = (flags) => (flags.length ? flags.map((each) => `--${each}`).join(', ') : 'no flags');

function help() {
  const lines = Object.entries(COMMANDS).map(([name, each]) => `  ${name.padEnd(16)}${each.flags.length ? listed(each.flags) : ''}`);
  return [
    `xmemo-skill ${VERSION}`,
    'usage: node xmemo-skill.mjs COMMAND [--flag value] [--json] [--base-url URL]',
    ...lines,
    'environment: XMEMO_BASE_URL, XMEMO_KEY',
  ].join('\n');
}

// Only where nobody listens in: https, or this very machine.
function baseUrl(given) {
  let url;
  try {
    url = new URL(given);
  } catch {
    throw new Failure(EXIT.usage, 'usage', 'Say where the server is: XMEMO_BASE_URL=https://…, or --base-url.');
  }
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here)) {
    throw new Failure(EXIT.usage, 'usage', 'The server has to be reached by https; http is for this machine only.');
  }
  if (url.username || url.password || url.search || url.hash) throw new Failure(EXIT.usage, 'usage', 'The address of the server is a plain one.');
  return url.href.replace(/\/+$/, '');
}

// ---- The token ----------------------------------------------------------------------------------------------------

const store = () => join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'xmemo', 'tokens.json');

async function kept() {
  let text;
  try {
    const mode = (await stat(store())).mode;
    if (process.platform !== 'win32' && mode & 0o077) {
      throw new Failure(EXIT.login, 'unsafe_file', `Others can read ${store()}. Run: chmod 600 ${store()}`);
    }
    text = await readFile(store(), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(EXIT.login, 'damaged_file', `${store()} is damaged. Delete it and log in again.`);
  }
}

async function keep(tokens) {
  const file = store();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  if (!Object.keys(tokens).length) return rm(file, { force: true });
  const fresh = `${file}.${process.pid}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(tokens));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(fresh, 0o600);
  return rename(fresh, file);
}

// A token is sent to the address it was made at, and to no other.
async function tokenFor(base) {
  const given = process.env.XMEMO_KEY?.trim();
  return given ? { token: given, from: 'XMEMO_KEY' } : { token: (await kept())[base], from: store() };
}

// ---- The server ---------------------------------------------------------------------------------------------------

async function send(context, method, path, body) {
  const headers = { accept: 'application/json', 'user-agent': `xmemo-skill/${VERSION}` };
  if (context.token) headers.authorization = `Bearer ${context.token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  let answer;
  let text;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A redirect would take the token along.
    answer = await fetch(`${context.base}${path}`, { method, headers, signal, redirect: 'error', body: body && JSON.stringify(body) });
    if (Number(answer.headers.get('content-length') ?? 0) > MAX_ANSWER) throw new Error('the answer is too large');
    text = await answer.text();
  } catch (error) {
    throw new Failure(EXIT.server, 'unreachable', `The server does not answer: ${error.cause?.code ?? error.message}.`);
  }
  let data;
  try {
    data = text ? JSON.parse(text) : {};
  } catch {
    throw new Failure(EXIT.server, 'not_json', `The server answered ${answer.status} with something that is not JSON.`);
  }
  return { status: answer.status, data };
}

async function call(context, method, path, body) {
  const { status, data } = await send(context, method, path, body);
  if (status >= 200 && status < 300 && data.ok !== false) return data;
  const told = typeof data.error === 'object' && data.error ? data.error : data;
  const facts = Object.fromEntries(['request_id', 'required', 'retry_after', 'errors'].filter((each) => told[each] !== undefined).map((each) => [each, told[each]]));
  const exit = EXIT_OF_STATUS[status] ?? (status >= 500 ? EXIT.server : EXIT.refused);
  const places = told.message === undefined && Array.isArray(told.errors) ? ` ${told.errors.map((each) => `${each.where}: ${each.problem}`).join('; ')}` : '';
  throw new Failure(exit, told.code ?? `http_${status}`, `${told.message ?? told.detail ?? told.title ?? `The server answered ${status}.`}${places}`, facts);
}

const operation = async (context, name) =>
  (await call(context, 'POST', '/v1/skill/operations', { operation: name, arguments: context.flags })).result;

async function forget(context) {
  if (context.flags.confirm !== 'true') {
    throw new Failure(EXIT.usage, 'confirmation_required', `Forgetting ${context.flags.id} needs --confirm.`);
  }
  return call(context, 'POST', `/v1/memories/${context.flags.id}/forget`, { mode: 'soft_delete' });
}

// ---- Logging in and out -------------------------------------------------------------------------------------------

async function login(context) {
  const anonymous = { base: context.base };
  const started = await call(anonymous, 'POST', '/v1/auth/device/start', { client_id: CLIENT_ID, client_version: VERSION, scopes: SCOPES });
  context.say(`Open ${started.verification_uri_complete}\nand check that the page shows the code ${started.user_code}. Waiting …`);
  const end = Date.now() + started.expires_in * 1000;
  let interval = started.interval;
  while (Date.now() < end) {
    await pause(interval * 1000);
    const { status, data } = await send(anonymous, 'POST', '/v1/auth/device/token', {
      device_code: started.device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });
    if (status === 200 && data.access_token) return adopt(context, data.access_token);
    if (data.error === 'slow_down') interval = data.interval ?? interval + 5;
    else if (data.error !== 'authorization_pending') {
      throw new Failure(EXIT.login, data.error ?? 'login_failed', data.error_description ?? 'The login failed.');
    }
  }
  throw new Failure(EXIT.login, 'expired_token', 'Nobody approved the login in time. Start it again.');
}

async function authAdd(context) {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const token = Buffer.concat(chunks).toString('utf8').trim();
  if (!token) throw new Failure(EXIT.usage, 'usage', 'auth add reads the token from standard input: printf %s "$TOKEN" | … auth add');
  return adopt(context, token);
}

async function adopt(context, token) {
  secrets.add(token);
  const valid = await call({ base: context.base, token }, 'GET', '/v1/auth/token/validate');
  await keep({ ...(await kept()), [context.base]: token });
  return { ok: true, user_id: valid.user_id, scopes: valid.scopes, file: store() };
}

async function logout(context) {
  if (process.env.XMEMO_KEY?.trim()) {
    return { ok: true, revoked: false, message: 'XMEMO_KEY is set from outside: unset it, and revoke the token where it was made.' };
  }
  const { [context.base]: token, ...others } = await kept();
  if (!token) return { ok: true, revoked: false, message: 'You were not logged in.' };
  secrets.add(token);
  let revoked = true;
  try {
    await call({ base: context.base, token }, 'POST', '/v1/auth/token/revoke-self', {});
  } catch (error) {
    if (error.exit !== EXIT.login) throw error; // A token that is not valid any more needs no revoking.
    revoked = false;
  }
  await keep(others);
  return { ok: true, revoked, message: 'The token was not valid any more; it is deleted here.' };
}

async function authStatus(context) {
  const { token, from } = context.token ? context : {};
  if (!token) return { ok: true, logged_in: false };
  const valid = await call(context, 'GET', '/v1/auth/token/validate');
  return { ok: true, logged_in: true, from, user_id: valid.user_id, token_name: valid.token_name, scopes: valid.scopes };
}

// ---- What a person reads ------------------------------------------------------------------------------------------

function recordsText(records) {
  return (
    records.length ? records.map((each) => `${each.id}${each.path ? `  ${each.path}` : ''}\n  ${each.content.replaceAll('\n', '\n  ')}`).join('\n') : 'Nothing was found.'
  );
}

function recordText(record) {
  return (
    `${record.id}${record.path ? `  ${record.path}` : ''}  version ${record.version}, ${record.status}\n${record.content}\n` +
    `from ${record.source.user_id} by ${record.source.agent_id ?? record.source.client}, ${record.created_at}`
  );
}

function todosText(todos) {
  return (
    todos.length ? todos.map((each) => `${each.status === 'done' ? '[x]' : '[ ]'} ${each.id}  ${each.content}${each.due_at ? `  (due ${each.due_at})` : ''}`).join('\n') : 'Nothing to do.'
  );
}

function packText(pack) {
  return (
    `${pack.context_text || 'Nothing was found.'}\n\n${pack.items.length} pieces; knowledge: ${pack.knowledge.reason}`
  );
}

function doctorText(found) {
  return (
    `The server answers. ${found.auth_valid ? `The token may: ${found.scopes.join(', ')}` : 'There is no valid token: run login, or set XMEMO_KEY.'}`
  );
}

function authText(found) {
  return (
    found.logged_in ? `Logged in as ${found.user_id} (token from ${found.from}).\nIt may: ${found.scopes.join(', ')}` : 'Not logged in.'
  );
}

// No text from a server may move the cursor, change colours or hide something.
// eslint-disable-next-line no-control-regex
const plain = (text) => String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

const secrets = new Set();

// The last gate: whatever goes out, no token does, not even one that a server sends back.
function scrubbed(text) {
  let clean = text;
  for (const each of secrets) clean = clean.replaceAll(each, '[token]');
  return clean;
}

async function main() {
  const wantsJson = process.argv.includes('--json');
  try {
    const { words, flags, options } = parse(process.argv.slice(2));
    if (options.help || words[0] === 'help' || !words.length) {
      console.log(help());
      return words.length || options.help ? EXIT.ok : EXIT.usage;
    }
    const { command } = chosen(words, flags);
    const base = baseUrl(options.baseUrl);
    const { token, from } = await tokenFor(base);
    if (token) secrets.add(token);
    if (!token && !command.anonymous) {
      throw new Failure(EXIT.login, 'not_logged_in', 'There is no token for this server. Run login, or set XMEMO_KEY.');
    }
    const say = (text) => console.error(scrubbed(plain(text)));
    const result = await command.run({ base, token, from, flags, say });
    console.log(scrubbed(wantsJson ? JSON.stringify(result) : plain(command.show(result))));
    return EXIT.ok;
  } catch (error) {
    const known = error instanceof Failure;
    const told = { code: known ? error.code : 'failed', message: error.message, ...(known ? error.facts : {}) };
    if (wantsJson) console.log(scrubbed(JSON.stringify({ ok: false, error: told })));
    else console.error(scrubbed(plain(told.message)));
    return known ? error.exit : EXIT.refused;
  }
}

process.exitCode = await main();

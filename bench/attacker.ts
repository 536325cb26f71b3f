import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { flatWebp } from '../test/support/files/bombs.ts';

export interface Tenant {
  baseUrl: string;
  host: string;
  port: number;
  key: Record<string, string>;
  platforms: string[];
}

/**
 * Runs one attack until its parent disconnects. Runs in a separate process with the lowest priority, because a real
 * attacker uses another machine: the cost of sending the requests must not count as their effect on others.
 */
async function main([name = '', eve = '']: readonly string[]) {
  setPriority(19);
  const stopping = new AbortController();
  process.once('disconnect', () => stopping.abort());
  await attacks[name]!(JSON.parse(eve), stopping.signal);
  process.exit();
}

type Attack = (eve: Tenant, signal: AbortSignal) => Promise<void>;

export const attacks: Record<string, Attack> = {
  'image bombs': (eve, signal) => many(4, signal, () => imageBomb(eve)),
  'nasty texts': (eve, signal) => many(6, signal, (i) => nastyText(eve, i)),
  'long answers': longAnswers,
  'slow clients': (eve, signal) => holding(eve, 200, 'POST /api/v1/create-post', 'content-length: 1000', signal),
  'clients that do not read': unreadAnswers,
  'a flood of requests above the rate limit': (eve, signal) =>
    many(16, signal, () => ask(eve, 'GET', '/account-context')),
  'wrong sign-ins': (eve, signal) => many(8, signal, (i) => wrongSignIn(eve, i)),
  'nested names': (eve, signal) => many(4, signal, () => sendRaw(eve, '/register', nestedName)),
  'long lists': (eve, signal) => many(4, signal, (i) => sendRaw(eve, ...longLists[i % longLists.length]!)),
  'deep bodies': (eve, signal) =>
    many(4, signal, (i) => sendRaw(eve, i % 2 ? '/mcp' : '/api/v1/create-post', deepBody)),
  'sign-ups for one address': (eve, signal) => many(4, signal, () => signUp(eve)),
};

/** Repeats a request with this many clients until the attack ends. Rejected requests are part of the attack. */
async function many(clients: number, signal: AbortSignal, once: (i: number) => Promise<unknown>) {
  let i = 0;
  const client = async () => {
    while (!signal.aborted) {
      i += 1;
      await once(i).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const nestedName = `{"client_name":"${'<'.repeat(300_000)}${'b>'.repeat(300_000)}"}`;
const deepBody = '['.repeat(500_000) + ']'.repeat(500_000);
const ones = `[${Array.from({ length: 150_000 }, () => 1).join()}]`;
const longLists: readonly [path: string, body: string, method: string][] = [
  ['/api/v1/connect/choices/any', `{"accountIds":${ones}}`, 'POST'],
  ['/api/v1/connect/any/choices/any', `{"accountIds":${ones}}`, 'POST'],
  ['/register', `{"grant_types":${ones}}`, 'POST'],
  ['/api/v1/auth/api-keys', `{"scopes":${ones}}`, 'POST'],
  ['/api/v1/create-post', `{"content":"a","platforms":${ones}}`, 'POST'],
  ['/api/v1/create-post', `{"content":"a","firstComment":{"text":"b","platforms":${ones}}}`, 'POST'],
  ['/api/v1/create-post', `{"content":"a","youtube":{"tags":${ones}}}`, 'POST'],
  ['/api/v1/webhooks', `{"name":"a","url":"https://a.example","events":${ones}}`, 'POST'],
  ['/api/v1/post/any/media-order', `{"mediaIds":${ones}}`, 'PUT'],
];

async function sendRaw({ host, port, key }: Tenant, path: string, body: string, method = 'POST') {
  const headers = { ...key, 'content-type': 'application/json' };
  await (await fetch(`http://${host}:${port}${path}`, { method, headers, body })).arrayBuffer();
}

const signUp = (eve: Tenant) =>
  ask(eve, 'POST', '/auth/signup', { email: 'victim@example.com', password: 'a long password', name: 'Victim' });

async function ask({ baseUrl, key }: Tenant, method: string, path: string, body?: object) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text.startsWith('{') ? JSON.parse(text) : {};
}

/** Just within the pixel limit, so that the image is decoded. */
async function imageBomb(eve: Tenant) {
  const { postGroupId } = await ask(eve, 'POST', '/create-post', { content: 'A picture', platforms: eve.platforms });
  const file = { postGroupId, fileName: 'a.webp', contentType: 'image/webp' };
  const { uploadUrl, mediaId } = await ask(eve, 'POST', '/get-upload-url', file);
  const body = new Uint8Array(flatWebp(4000, 3990));
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/webp' }, body });
  await ask(eve, 'POST', `/complete-media/${mediaId}`);
  await ask(eve, 'PUT', `/update-post/${postGroupId}`, { publishNow: true });
}

const nasty = ['[a](', '\u200d', '\u0315\u0300', '👨‍👩‍👧', 'https://', 'a\n---\n', '漢'];

const nastyText = (eve: Tenant, i: number) => {
  const repeated = nasty[i % nasty.length]!;
  const content = repeated.repeat(Math.floor(300_000 / repeated.length));
  return ask(eve, 'POST', i % 2 ? '/validate-post' : '/create-post', { content, platforms: eve.platforms });
};

async function longAnswers(eve: Tenant, signal: AbortSignal) {
  for (let i = 0; i < 20; i += 1) await nastyText(eve, 12);
  await many(4, signal, () => ask(eve, 'GET', '/list-posts?limit=100'));
}

/** Holds this many connections open, each with an unfinished request, and reopens any that is cut off. */
async function holding({ host, port, key }: Tenant, count: number, line: string, header: string, signal: AbortSignal) {
  const sockets = new Set<Socket>();
  const open = () => {
    const socket = connect({ host, port });
    sockets.add(socket);
    socket.write(`${line} HTTP/1.1\r\nhost: x\r\nx-service-key: ${key['x-service-key']}\r\n${header}\r\n\r\n`);
    socket.pause();
    socket
      .on('error', () => {})
      .once('close', () => {
        sockets.delete(socket);
        if (!signal.aborted) open();
      });
  };
  for (let i = 0; i < count; i += 1) open();
  while (!signal.aborted) await sleep(100);
  for (const socket of sockets) socket.destroy();
}

async function unreadAnswers(eve: Tenant, signal: AbortSignal) {
  for (let i = 0; i < 20; i += 1) await nastyText(eve, 12);
  await holding(eve, 200, 'GET /api/v1/list-posts?limit=100', 'accept: */*', signal);
}

const wrongSignIn = (eve: Tenant, i: number) =>
  ask(eve, 'POST', '/auth/signin', { email: `user${i % 50}@example.com`, password: `wrong password ${i}` });

if (import.meta.main) await main(process.argv.slice(2));

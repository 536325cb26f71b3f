import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { flatWebp } from '../test/support/bombs.ts';
import { type CrierProcess, dataFolder, runProgram, startCrier } from '../test/support/crier-process.ts';
import { percentile } from './percentile.ts';

/** How long each attack, and the quiet before it, is measured. `ATTACK_SECONDS=3` is enough to see that it runs. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 15);
/** The other tenants make this many calls a second, a load that leaves most of the machine idle. */
const callsPerSecond = 40;

interface Attacker {
  baseUrl: string;
  host: string;
  port: number;
  key: Record<string, string>;
  platforms: string[];
}

/**
 * The latency of other tenants' ordinary calls while one tenant attacks, as a ratio to the quiet just before, in the same run.
 * The quiet is measured before each attack anew, because the machine and the size of the tables change.
 */
export async function attack() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(await dataFolder(), ({ remove }) => remove());
  const crier = stack.adopt(await startCrier({ folder, environment: { LOG_LEVEL: 'error' } }), async (started) => {
    await started.stop();
  });
  const attacker = await aTenant(crier, 'eve@example.com');
  // So many that none of them comes near its own limits.
  const others: Attacker[] = [];
  for (const name of ['ann', 'ben', 'cat', 'dan']) others.push(await aTenant(crier, `${name}@example.com`));
  await measure(others, 2);
  const figures: Record<string, string> = {};
  let logged = crier.output().length;
  for (const [name, begin] of Object.entries(attacks)) {
    const quiet = await measure(others, seconds);
    const stopping = new AbortController();
    const attacking = begin(attacker, stopping.signal);
    await sleep(500);
    const meanwhile = await measure(others, seconds);
    stopping.abort();
    await attacking;
    const errors = crier.output().slice(logged).trim();
    logged = crier.output().length;
    if (errors) console.log(`  the log during ${name}: ${errors.slice(0, 2000)}`);
    figures[`${name}: p95, ratio to quiet (<= 3)`] = ratio(meanwhile, quiet, 0.95);
    figures[`${name}: p99, ratio to quiet (<= 2)`] = ratio(meanwhile, quiet, 0.99);
    // What was cut off or refused may still be in the queues.
    await sleep(2000);
  }
  return figures;
}

function ratio(meanwhile: readonly number[], quiet: readonly number[], share: number): string {
  const [under, before] = [percentile(meanwhile, share), percentile(quiet, share)];
  return `${(under / before).toFixed(2)}  (${under.toFixed(1)} ms, quiet ${before.toFixed(1)} ms)`;
}

async function aTenant(crier: CrierProcess, email: string): Promise<Attacker> {
  const admin = async (command: string, ...args: string[]) => {
    const ended = await runProgram(['src/admin/main.ts', command, ...args, '--json'], crier.environment);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return JSON.parse(ended.stdout.trim().split('\n').at(-1)!);
  };
  const { userId, apiKey } = await admin(
    'create-user',
    '--email',
    email,
    '--password',
    'correct horse',
    '--plan',
    'pro',
  );
  const { connections } = await admin('connect-sandbox', '--user', userId, '--networks', 'mastodon,threads,bluesky');
  const { baseUrl, url } = crier.ready;
  const platforms = connections.map(({ platformId }: { platformId: string }) => platformId);
  const { hostname, port } = new URL(url);
  return { baseUrl, host: hostname, port: Number(port), key: { 'x-service-key': apiKey }, platforms };
}

/** Ordinary calls at a steady pace, whether or not the earlier ones are answered. Returns sorted milliseconds. */
async function measure(tenants: readonly Attacker[], forSeconds: number): Promise<number[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  const end = performance.now() + forSeconds * 1000;
  for (let i = 0; performance.now() < end; i += 1) {
    calls.push(ordinaryCall(tenants[Math.floor(i / 4) % tenants.length]!, i).then((ms) => void took.push(ms)));
    await sleep(1000 / callsPerSecond);
  }
  await Promise.all(calls);
  return took.sort((a, b) => a - b);
}

async function ordinaryCall({ baseUrl, key, platforms }: Attacker, i: number): Promise<number> {
  const began = performance.now();
  const path = ['/create-post', '/list-posts', '/account-context', '/validate-post'][i % 4]!;
  const isRead = i % 4 === 1 || i % 4 === 2;
  const body = JSON.stringify({ content: `A post of ordinary length, number ${i}`, platforms });
  const response = await fetch(baseUrl + path, {
    method: isRead ? 'GET' : 'POST',
    headers: { ...key, ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { body }),
  });
  const text = await response.text();
  if (!response.ok) console.log(`  ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return performance.now() - began;
}

type Attack = (eve: Attacker, signal: AbortSignal) => Promise<void>;

const attacks: Record<string, Attack> = {
  'image bombs': (eve, signal) => many(4, signal, () => imageBomb(eve)),
  'nasty texts': (eve, signal) => many(6, signal, (i) => nastyText(eve, i)),
  'long answers': longAnswers,
  'slow clients': (eve, signal) => holding(eve, 200, 'POST /api/v1/create-post', 'content-length: 1000', signal),
  'clients that do not read': unreadAnswers,
  'a flood over the limit': (eve, signal) => many(16, signal, () => ask(eve, 'GET', '/account-context')),
  'wrong sign-ins': (eve, signal) => many(8, signal, (i) => wrongSignIn(eve, i)),
};

/** Repeats a request, so many at once, until the attack ends. Answers of refusal are part of it. */
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

async function ask({ baseUrl, key }: Attacker, method: string, path: string, body?: object) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { ...key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text.startsWith('{') ? JSON.parse(text) : {};
}

/** Just within the limit of pixels, so that it is decoded. */
async function imageBomb(eve: Attacker) {
  const { postGroupId } = await ask(eve, 'POST', '/create-post', { content: 'A picture', platforms: eve.platforms });
  const file = { postGroupId, fileName: 'a.webp', contentType: 'image/webp' };
  const { uploadUrl, mediaId } = await ask(eve, 'POST', '/get-upload-url', file);
  const body = new Uint8Array(flatWebp(4000, 3990));
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/webp' }, body });
  await ask(eve, 'POST', `/complete-media/${mediaId}`);
  await ask(eve, 'PUT', `/update-post/${postGroupId}`, { publishNow: true });
}

const nasty = ['[a](', '\u200d', '\u0315\u0300', '👨‍👩‍👧', 'https://', 'a\n---\n', '漢'];

const nastyText = (eve: Attacker, i: number) => {
  const repeated = nasty[i % nasty.length]!;
  const content = repeated.repeat(Math.floor(300_000 / repeated.length));
  return ask(eve, 'POST', i % 2 ? '/validate-post' : '/create-post', { content, platforms: eve.platforms });
};

async function longAnswers(eve: Attacker, signal: AbortSignal) {
  for (let i = 0; i < 20; i += 1) await nastyText(eve, 12);
  await many(4, signal, () => ask(eve, 'GET', '/list-posts?limit=100'));
}

/** Holds so many connections, each with an unfinished request. One that is cut off is opened again. */
async function holding(
  { host, port, key }: Attacker,
  count: number,
  line: string,
  header: string,
  signal: AbortSignal,
) {
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

async function unreadAnswers(eve: Attacker, signal: AbortSignal) {
  for (let i = 0; i < 20; i += 1) await nastyText(eve, 12);
  await holding(eve, 200, 'GET /api/v1/list-posts?limit=100', 'accept: */*', signal);
}

const wrongSignIn = (eve: Attacker, i: number) =>
  ask(eve, 'POST', '/auth/signin', { email: `user${i % 50}@example.com`, password: `wrong password ${i}` });

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestFile } from '../../support/files/media.ts';
import { type CrierProcess, dataFolder, type Ended, runProgram, startCrier } from '../../support/processes/crier.ts';
import type { Front } from './front.ts';

/** A Crier as an operator runs it with NETWORKS=live. Its networks are the hosts behind the proxy. */
export interface LiveCrier extends AsyncDisposable {
  /** Calls the API with a key. Throws unless the request succeeds. */
  call(method: string, path: string, body?: object): Promise<Body>;
  /** The same, signed in as the user. A page is returned as text. */
  asPerson(method: string, path: string, body?: object): Promise<Body>;
  /** Publishes to one connection, and returns the result. */
  publish(connection: string, post: object, files?: readonly TestFile[]): Promise<Body>;
  /** `npm run admin -- …` */
  admin(...args: string[]): Promise<Ended>;
  /** The posts of a group, once all of them have finished. */
  settled(postGroupId: string, timeoutMs: number): Promise<Body[]>;
  kill9(): Promise<void>;
  start(): Promise<void>;
  readonly email: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer, whatever its shape.
type Body = any;

const leading = new URL('lead-hosts.js', import.meta.url).pathname;
const email = 'ada@example.com';
const password = 'correct horse battery';

export async function startLiveCrier(front: Front, more: Record<string, string> = {}): Promise<LiveCrier> {
  const folder = await dataFolder();
  const certificate = join(folder.path, 'front.pem');
  await writeFile(certificate, front.ca);
  const environment = {
    NETWORKS: 'live',
    EGRESS_ALLOW: front.hosts.map((host) => `${host}:443`).join(),
    LEAD_HOSTS: JSON.stringify({ hosts: front.hosts, port: front.port }),
    NODE_OPTIONS: `--import=${leading}`,
    NODE_EXTRA_CA_CERTS: certificate,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...more,
  };
  const start = () => startCrier({ folder, environment });
  let crier: CrierProcess = await start();
  const admin = (...args: string[]) => runProgram(['src/admin.ts', ...args], crier.environment);
  const made = await admin('create-user', '--email', email, '--password', password, '--plan', 'agency', '--json');
  if (made.code !== 0) throw new Error(made.stderr);
  const { apiKey } = JSON.parse(made.stdout.trim().split('\n').at(-1) ?? '{}');

  async function send(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Body> {
    const response = await fetch(`${crier.ready.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }
  const call = (method: string, path: string, body?: object) => send(method, path, { 'x-service-key': apiKey }, body);

  async function settled(postGroupId: string, timeoutMs: number): Promise<Body[]> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(250)) {
      const { posts, firstComments } = await call('GET', `/get-post/${postGroupId}`);
      if (posts.every((post: Body) => isSettled(post, firstComments.length))) return posts;
      if (performance.now() > deadline) throw new Error(`Still on their way: ${JSON.stringify(posts)}`);
    }
  }

  return {
    call,
    async asPerson(method, path, body) {
      const { accessToken } = await send('POST', '/auth/signin', {}, { email, password });
      return send(method, path, { authorization: `Bearer ${accessToken}` }, body);
    },
    async publish(connection, post, files = []) {
      const { postGroupId } = await call('POST', '/create-post', { platforms: [connection], ...post });
      for (const [index, { bytes, type, altText }] of files.entries()) {
        const upload = { postGroupId, fileName: `picture${index}`, contentType: type, altText };
        const { uploadUrl } = await call('POST', '/get-upload-url', upload);
        const sent = await fetch(uploadUrl, {
          method: 'PUT',
          headers: { 'content-type': type },
          body: new Uint8Array(bytes),
        });
        if (!sent.ok) throw new Error(`The upload failed: ${sent.status} ${await sent.text()}`);
      }
      await call('PUT', `/update-post/${postGroupId}`, { publishNow: true });
      return (await settled(postGroupId, 180_000))[0];
    },
    admin,
    settled,
    kill9: () => crier.kill9(),
    async start() {
      crier = await start();
    },
    email,
    async [Symbol.asyncDispose]() {
      await crier.stop().catch(() => {});
      await folder.remove();
    },
  };
}

/** The comments of a post are published after it. */
const isSettled = ({ status, firstCommentResults: comments }: Body, commentCount: number) =>
  status === 'failed' ||
  (status === 'published' &&
    comments.length === commentCount &&
    comments.every((comment: Body) => comment.status !== 'pending'));

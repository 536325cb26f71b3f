import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tinyPng } from './test-media.ts';
import { readResponse, startTestSandbox } from './testing.ts';

const main = new URL('./main.ts', import.meta.url);

describe('the sandbox as a process', () => {
  test('data survive a restart', async () => {
    const folder = temporaryFolder();
    const before = await startTestSandbox({ folder });
    const ann = await before.account('ann');
    const { id } = await (await ann.upload(tinyPng)).json();
    const first = await (await ann.publish({ status: 'one', media_ids: [id] }, { 'idempotency-key': 'k' })).json();
    const posts = await before.posts();
    await before.close();

    const after = await startTestSandbox({ folder });
    expect(await after.posts()).toEqual(posts);
    const headers = { authorization: `Bearer ${ann.credentials.accessToken}`, 'idempotency-key': 'k' };
    const again = await after.sendJson('POST', '/mastodon.social/api/v1/statuses', { status: 'one' }, headers);
    expect((await again.json()).id).toBe(first.id);
    expect((await after.at(`/media/${posts[0].media[0].sha256}`)).status).toBe(200);
  });

  test('acknowledged posts survive kill -9', async () => {
    const folder = temporaryFolder();
    const first = await startProcess({ SANDBOX_DATA: folder });
    const { credentials } = await post(`${first.url}/_control/accounts`, { network: 'mastodon', handle: 'ann' });
    const authorization = `Bearer ${credentials.accessToken}`;
    const { id } = await post(`${first.url}/mastodon.social/api/v1/statuses`, { status: 'one' }, { authorization });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startProcess({ SANDBOX_DATA: folder });
    const posts = await get(`${second.url}/_control/posts`);
    expect(posts).toMatchObject([{ id, text: 'one' }]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it cleanly, even while a request is open', async (signal) => {
    const { child, url } = await startProcess();
    await post(`${url}/_control/faults`, { network: 'mastodon', kind: 'timeout' });
    const open = fetch(`${url}/mastodon.social/api/v2/instance`).catch(() => 'cut');
    while ((await get(`${url}/_control/faults`))[0].remaining > 0);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await open).toBe('cut');
  });

  test('it ends with the process that started it', async () => {
    const { child } = await startProcess();
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('beside a running sandbox, as npm start brings one, it says that there is one already', async () => {
    const { url } = await startTestSandbox();
    expect(await reasonOf(start({ SANDBOX_PORT: new URL(url).port }))).toMatch(
      new RegExp(`^A sandbox is already running at ${url}, .*SANDBOX_PORT and SANDBOX_DATA`),
    );
  });

  test('a folder in use ends it with code 1 and a helpful message', async () => {
    const folder = temporaryFolder();
    await startProcess({ SANDBOX_DATA: folder });
    expect(await reasonOf(start({ SANDBOX_DATA: folder }))).toMatch(/^Another sandbox uses the folder .*SANDBOX_DATA/);
  });

  test('a port in use ends it with code 1 and a helpful message', async () => {
    const other = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await reasonOf(start({ SANDBOX_PORT: String(port) }))).toMatch(
      /^Port \d+ on 127\.0\.0\.1 is in use\. .*SANDBOX_PORT/,
    );
  });
});

/** The output of a process that failed to start, which must be one line without a stack. */
async function reasonOf(child: ReturnType<typeof start>): Promise<string> {
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output.trim()).not.toContain('\n');
  return output;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crier-sandbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(env: Record<string, string>) {
  const SANDBOX_DATA = env.SANDBOX_DATA ?? temporaryFolder();
  const child = fork(main, { env: { ...process.env, SANDBOX_PORT: '0', ...env, SANDBOX_DATA }, silent: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function startProcess(env: Record<string, string> = {}) {
  const child = start(env);
  const [message] = await once(child, 'message');
  return { child, url: message.url as string };
}

async function get(url: string) {
  return readResponse(await fetch(url)).json();
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  };
  return readResponse(await fetch(url, init)).json();
}

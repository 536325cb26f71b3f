import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { serve } from '../../test/support/servers/local.ts';
import { command } from './stage.ts';

/** Runs `crier login` against a service with arbitrary metadata. */

let folder: TemporaryFolder;
let heard: string[];
let other: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  // A fake browser that records the URL it should open.
  await writeFile(`${folder.path}/browser`, '#!/bin/sh\nprintf "%s\\n" "$@" > opened.new && mv opened.new opened\n', {
    mode: 0o755,
  });
  other = await serve((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json').end('{ "client_id": "1", "access_token": "sk_x" }');
  });
});
beforeEach(() => {
  heard = [];
});
afterAll(async () => {
  await other.close();
  await folder.remove();
});

const aService = (endpoints: (url: string) => object) =>
  serve((request, response) => {
    const url = `http://${request.headers.host}`;
    const own = { authorization_endpoint: `${url}/a`, token_endpoint: `${url}/t`, registration_endpoint: `${url}/r` };
    const answer = request.url?.startsWith('/.well-known/') ? { ...own, ...endpoints(url) } : { client_id: '1' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });

function login(url: string) {
  const env = { PATH: process.env.PATH, HOME: folder.path, BROWSER: `${folder.path}/browser` };
  // A login that opens a page waits for minutes.
  const options = { env, cwd: folder.path, timeout: 60_000 };
  const child = spawn(process.execPath, [command, 'login', '--json', '--url', url], options);
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout })),
  );
  return { child, ended };
}

test.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
  'login opens and asks nothing if %s is not at the service',
  async (field) => {
    const host = new URL(other.url).host;
    const addresses = ['file:///etc/passwd', 'javascript:alert(1)', other.url, `https://${host}/`, '-x', null];
    for (const address of addresses) {
      await using service = await aService(() => ({ [field]: address }));
      const { code, stdout } = await login(service.url).ended;
      const { error } = JSON.parse(stdout);
      expect([address, code, error]).toMatchObject([address, 3, { code: 'SIGN_IN_FAILED' }]);
      expect(error.message).toContain(service.url);
      if (address) expect(error.message).toContain(address);
    }
    expect([heard, (await readdir(folder.path)).includes('opened')]).toEqual([[], false]);
  },
);

test('the page is opened without a shell, as one argument', async () => {
  const path = "/a;touch made;$(touch made)&touch made|'`touch made`";
  await using service = await aService((url) => ({ authorization_endpoint: url + path }));
  const { child, ended } = login(service.url);
  await expect.poll(() => readFile(`${folder.path}/opened`, 'utf8').catch(() => '')).toContain('response_type');
  child.kill();
  await ended;
  const opened = (await readFile(`${folder.path}/opened`, 'utf8')).trimEnd();
  expect(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a;touch\S+$/);
  expect(new URL(opened).origin).toBe(service.url);
  expect(await readdir(folder.path)).not.toContain('made');
});

test('a request that is no URL is answered with 404, and the login waits on', async () => {
  await using service = await aService(() => ({}));
  const { child, ended } = login(service.url);
  await expect.poll(() => readFile(`${folder.path}/opened`, 'utf8').catch(() => '')).toContain(service.url);
  const opened = new URL((await readFile(`${folder.path}/opened`, 'utf8')).trimEnd());
  const callback = new URL(opened.searchParams.get('redirect_uri')!);
  const statusOf = async (path: string) => {
    const response = once(get({ port: callback.port, host: callback.hostname, path, agent: false }), 'response');
    return (await response)[0].resume().statusCode;
  };
  expect([await statusOf('//'), await statusOf('/other')]).toEqual([404, 404]);
  child.kill();
  expect((await ended).stdout).toBe('');
});

import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImage } from '../../test/support/files/media.ts';
import { serve } from '../../test/support/servers/local.ts';
import { type CliStage, cliStage } from './stage.ts';

let stage: CliStage;

beforeAll(async () => {
  stage = await cliStage();
  await writeFile(`${stage.folder}/photo.png`, (await anImage({ type: 'png' })).bytes);
  await writeFile(`${stage.folder}/posts.csv`, 'text,to\nHello,mastodon\n');
});
afterAll(() => stage?.close());

const id = '0'.repeat(24);
/** Every command that calls the service. */
const calls: Record<string, string[]> = {
  login: ['--key', `sk_${'0'.repeat(40)}`],
  connections: [],
  post: ['Hello', '--to', 'mastodon'],
  list: [],
  show: [id],
  update: [id, 'Hello'],
  retry: [id],
  delete: [id, '--yes'],
  logs: [id],
  watch: [id],
  upload: ['photo.png', '--post', id],
  import: ['posts.csv'],
  webhooks: ['listen'],
  trigger: ['post.published'],
  doctor: [],
};
const offline = ['logout', 'completion', 'mcp'];

async function betweenThem(status: number, work: (service: string, other: string) => Promise<void>) {
  const heard: unknown[] = [];
  await using other = await serve((request, response) => {
    heard.push([request.method, request.url, request.headers]);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const redirect: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(status, { location: other.url + request.url }).end();
  };
  await using service = await serve(redirect);
  await work(service.url, other.url);
  expect(heard).toEqual([]);
}

const run = (service: string, args: string[], input?: string) =>
  stage.run([...args, '--json'], { environment: { CRIER_URL: service }, ...(input && { input }) });

test('no command follows a redirect to another origin, and each one names it', async () => {
  const { stdout } = await stage.run(['--help']);
  const [, listed = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
  expect([...Object.keys(calls), ...offline].sort()).toEqual(names.filter((name) => name !== 'help').sort());
  for (const status of [302, 307]) {
    await betweenThem(status, async (service, other) => {
      for (const [name, args] of Object.entries(calls)) {
        const { code, json } = await run(service, [name, ...args]);
        const message = expect.stringContaining(`redirects to ${other}`);
        const expected = name === 'doctor' ? [5, 'UNHEALTHY'] : [1, 'REDIRECTED'];
        expect([name, code, json.error?.code, json.error?.message]).toEqual([name, ...expected, message]);
      }
    });
  }
});

test('login with a browser and the MCP server of agents follow none either', async () => {
  await betweenThem(307, async (service, other) => {
    const login = await run(service, ['login']);
    expect([login.code, login.json.error]).toMatchObject([1, { code: 'REDIRECTED' }]);
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { json } = await run(service, ['mcp'], `${JSON.stringify(asked)}\n`);
    expect(json.error.message).toContain(`redirects to ${other}`);
  });
});

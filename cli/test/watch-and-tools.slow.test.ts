import { writeFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anImage } from '../../test/support/files/media.ts';
import { type CliStage, cliStage, command } from './stage.ts';

let stage: CliStage;
let mastodon: string;

beforeAll(async () => {
  stage = await cliStage();
});
afterAll(() => stage?.close());
beforeEach(async () => {
  stage.ada = await stage.service.aUser();
  mastodon = await stage.ada.aConnection();
});

const aPost = async (more: object = {}) =>
  (await stage.ada.call('POST', '/create-post', { content: 'Hello', platforms: [mastodon], ...more })).body
    .postGroupId as string;

describe('watch', () => {
  test('prints each state until the post has ended, one line of JSON for each', async () => {
    const id = await aPost({ publishNow: true });
    const { code, stdout } = await stage.whilePublishing(stage.run(['watch', id, '--json']));
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.every(({ ok, command: name }) => ok && name === 'watch')).toBe(true);
    expect(lines.at(-1).data).toMatchObject({ postGroupId: id, status: 'published', postStatus: 'published' });
  });

  test('ends with 1 if a network failed, and immediately if the post had ended before', async () => {
    const broken = await stage.ada.aConnection('telegram');
    const id = await aPost({ platforms: [broken], publishNow: true });
    expect((await stage.whilePublishing(stage.run(['watch', id]))).code).toBe(1);
    const again = await stage.run(['watch', id]);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('✗ telegram  failed')]);
    expect((await stage.run(['watch', 'f'.repeat(24)])).code).toBe(1);
  });
});

test('upload adds files to a draft', async () => {
  await writeFile(`${stage.folder}/a.jpg`, (await anImage()).bytes);
  const id = await aPost();
  const { code, json } = await stage.run(['upload', 'a.jpg', '--post', id, '--alt', 'A square', '--json']);
  expect([code, json.data.media.length]).toEqual([0, 1]);
  const { body } = await stage.ada.call('GET', `/get-post/${id}`);
  expect(body.media).toMatchObject([{ sourceFileName: 'a.jpg', status: 'ready', altText: 'A square' }]);
});

describe('doctor', () => {
  test('checks the service, the clock, the key and each account', async () => {
    const { json } = await stage.run(['doctor', '--json']);
    const { checks } = json.data;
    const states = Object.fromEntries(
      checks.map(({ name, ok }: { name: string; ok: boolean }) => [name.split(' ')[0], ok]),
    );
    expect(states).toMatchObject({ service: true, clock: true, key: true, [mastodon]: true });
  });

  test('says what is wrong, with the exit code for it', async () => {
    const broken = await stage.ada.aConnection('telegram');
    const failing = await stage.run(['doctor']);
    expect(failing).toMatchObject({ code: 1, stderr: expect.stringContaining(`✗ ${broken}`) });
    expect((await stage.run(['doctor'], { user: null })).code).toBe(3);
    expect((await stage.run(['doctor'], { environment: { CRIER_URL: 'http://127.0.0.1:9' } })).code).toBe(5);
  });
});

describe('mcp', () => {
  async function connected(mode: 'legacy' | 'auto', user = true) {
    const client = new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation: { mode } });
    const env = stage.environment(user ? stage.ada : null);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], env }));
    return client;
  }

  test.each(['legacy', 'auto'] as const)('an agent calls tools over standard input and output (%s)', async (mode) => {
    const client = await connected(mode);
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(20);
      const { structuredContent } = await client.callTool({ name: 'list_connections', arguments: {} });
      expect(structuredContent).toMatchObject({ connections: [{ platformId: mastodon }] });
    } finally {
      await client.close();
    }
  });

  test('a message may contain a line separator, which JSON does not escape', async () => {
    const client = await connected('legacy');
    try {
      const call = { name: 'validate_post', arguments: { content: 'one\u2028two', platforms: [mastodon] } };
      expect((await client.callTool(call)).structuredContent).toMatchObject({ validation: { valid: true } });
    } finally {
      await client.close();
    }
  });

  test('without a key a tool says that one is needed', async () => {
    const client = await connected('legacy', false);
    try {
      await expect(client.callTool({ name: 'list_connections', arguments: {} })).rejects.toThrow('API key required');
    } finally {
      await client.close();
    }
  });
});

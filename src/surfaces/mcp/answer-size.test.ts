import { Server } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { maxAnswerBytes } from '../../foundation/errors/mcp.ts';
import { mcpTransport } from './transport.ts';

/**
 * The responses to one request, which can be a batch, are held in memory and written without a pause, so they are
 * limited.
 */

let service: TestService;
let ada: TestUser;
let connection: string;
beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  ada = await service.aUser();
  connection = await ada.aConnection();
});
afterAll(() => service.close());

const message = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const send = (payload: object) =>
  service.server.inject({ method: 'POST', url: '/mcp', headers: { 'x-service-key': ada.apiKey }, payload });
async function call(name: string, args: object = {}) {
  const response = await send(message(name, args));
  return { ...read(response.json()), bytes: response.rawPayload.length };
}
const read = ({ result }: { result: { isError?: boolean; content: [{ text: string }] } }) => ({
  isError: result.isError ?? false,
  body: JSON.parse(result.content[0].text),
});
/** Drafts whose texts are generated in the database, because no single request could send them all. */
async function drafts(count: number, characters: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const answer = await ada.call('POST', '/create-post', { content: `Draft ${i}`, platforms: [connection] });
    ids.push(answer.body.postGroupId);
  }
  for (const [table, id] of [
    ['post_groups', 'id'],
    ['platform_posts', 'post_group_id'],
  ]) {
    const change = `update ${table} set content = repeat('word "x" ', $2::int / 9) where ${id} = any($1)`;
    await service.database.pool.query(change, [ids, characters]);
  }
  return ids;
}

describe('a long answer', () => {
  test('to a tool is an error that says to ask for less, and nothing of it is sent', async () => {
    await drafts(8, 300_000);
    expect(await call('list_posts', { limit: 100 })).toMatchObject({
      isError: true,
      bytes: expect.toSatisfy((bytes: number) => bytes < 2_000),
      body: {
        code: 'ANSWER_TOO_LARGE',
        hint: expect.stringContaining('a smaller limit'),
        requestId: expect.anything(),
      },
    });
    const few = await call('list_posts', { limit: 2 });
    expect([few.isError, few.body.posts.length]).toEqual([false, 2]);
  });

  test('that was refused no longer counts as one under way', async () => {
    await drafts(8, 300_000);
    for (let i = 0; i < 6; i++) expect((await call('list_posts')).body.code).toBe('ANSWER_TOO_LARGE');
    expect((await ada.call('GET', '/list-posts')).status).toBe(200);
  });

  test('to a batch counts with those to its other messages', async () => {
    const [postGroupId] = await drafts(1, 200_000);
    const batch = Array.from({ length: 20 }, (_, id) => message('get_post', { postGroupId }, id));
    const response = await send(batch);
    const answers = response.json().map(read);
    const refused = answers.filter(({ isError }: { isError: boolean }) => isError);
    expect(answers).toHaveLength(20);
    expect(answers.length - refused.length).toBeGreaterThan(0);
    // The result as text, in which quotes are escaped again, and as structured content.
    expect(response.rawPayload.length).toBeLessThan(3.5 * maxAnswerBytes);
    expect(refused.length).toBeGreaterThanOrEqual(15);
    for (const { body } of refused) expect(['ANSWER_TOO_LARGE', 'RATE_LIMITED']).toContain(body.code);
  });

  test('to a change says that the change was made', async () => {
    const [postGroupId] = await drafts(1, 990_000);
    const scheduledTime = new Date(Date.now() + 86_400_000).toISOString();
    expect(await call('update_post', { postGroupId, scheduledTime })).toMatchObject({
      isError: true,
      body: { code: 'ANSWER_TOO_LARGE', hint: expect.stringContaining('do not repeat it') },
    });
  });

  test('to the reading of a resource is an error', async () => {
    const [postGroupId] = await drafts(1, 1_200_000);
    const uri = `crier://post/${postGroupId}`;
    const response = await send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
    expect(response.json().error).toMatchObject({ data: { code: 'ANSWER_TOO_LARGE' } });
    expect(response.rawPayload.length).toBeLessThan(2_000);
  });
});

test('an answer that cannot be written ends the request with an error', async () => {
  const url = 'https://crier.example.com';
  const transport = mcpTransport({ publicUrl: url, log: service.app.log }, () => {
    const server = new Server({ name: 'a test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: { large: 1n } }));
    return server;
  });
  const json = message('any', {});
  const { signal } = new AbortController();
  const request = { method: 'POST', url: '/mcp', headers: { 'content-type': 'application/json' }, signal };
  const answer = transport.serve(request as never, { text: JSON.stringify(json), json }, null);
  await expect(answer).rejects.toThrow('BigInt');
  await transport.close();
});

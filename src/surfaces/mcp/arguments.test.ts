import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonSchema, sampleOf, violationsOf } from '../../../test/support/documents/json-samples.ts';
import { type McpStage, mcpStage } from '../../../test/support/stages/mcp.ts';
import { tools } from './tools/index.ts';

/** Arguments that a tool does not accept: none may be silently ignored. */

let stage: McpStage;
let client: Client;
let schemas: Map<string, JsonSchema>;

beforeAll(async () => {
  stage = await mcpStage();
  const ada = await stage.aUser();
  await stage.app.db.updateTable('users').set({ workspace_enabled: true }).where('id', '=', ada.id).execute();
  client = await stage.aClient({ user: ada });
  schemas = new Map((await client.listTools()).tools.map(({ name, inputSchema }) => [name, inputSchema as JsonSchema]));
});
afterAll(() => stage.close());

const validArguments = (name: string) => sampleOf(schemas.get(name)!) as Record<string, unknown>;
const call = (name: string, args: Record<string, unknown>) => stage.call(client, name, args);

test('arguments that would make an address longer than HTTP allows are refused before any route sees them', async () => {
  const { isError, body } = await call('list_posts', { status: Array(5_000).fill('draft').join(), from: '2027-01-01' });
  expect([isError, body]).toMatchObject([true, { code: 'INVALID_REQUEST', error: 'The arguments are too long' }]);
});

describe.each(tools.map(({ name }) => name))('%s', (name) => {
  test('refuses every value that its input schema does not allow, and names the argument', async () => {
    const { properties = {} } = schemas.get(name)!;
    for (const [argument, schema] of Object.entries(properties)) {
      for (const value of violationsOf(schema)) {
        const { isError, body } = await call(name, { ...validArguments(name), [argument]: value });
        const about = [argument, JSON.stringify(value).slice(0, 50)];
        expect([...about, isError, body]).toMatchObject([
          ...about,
          true,
          { code: 'INVALID_REQUEST', error: expect.stringMatching(new RegExp(`^${argument}\\b`)) },
        ]);
        expect(body.field.split('.')[0]).toBe(argument);
      }
    }
  });

  test('refuses a call without an argument that it requires', async () => {
    for (const argument of schemas.get(name)!.required ?? []) {
      const { [argument]: _, ...others } = validArguments(name);
      expect(await call(name, others)).toMatchObject({
        isError: true,
        body: { code: 'INVALID_REQUEST', error: `${argument} is required`, field: argument },
      });
    }
  });
});

test.each([
  ['list_posts', { limit: 'many' }, 'limit must be a whole number'],
  ['list_posts', { limit: 0 }, 'limit must be at least 1'],
  ['list_posts', { sortOrder: 'up' }, 'sortOrder must be one of: asc, desc'],
  ['list_posts', { responseFormat: 'short' }, 'responseFormat must be one of: detailed, concise'],
  ['create_post', { content: 'Hi', platforms: 'x' }, 'platforms must be an array'],
  ['create_post', { content: 'Hi', platforms: [5] }, 'platforms.0 must be a string'],
  ['create_post', { content: 'Hi', platforms: ['x'], publishNow: 'yes' }, 'publishNow must be true or false'],
  ['create_post', { content: 'Hi', platforms: ['x'], mediaUrls: [{ url: '' }] }, 'mediaUrls.0.url'],
  [
    'create_post',
    { content: 'Hi', platforms: ['x'], platformSettings: { threads: { reply: 'x' } } },
    'platformSettings.threads.reply does not exist',
  ],
])('%s with %j answers "%s"', async (name, args, error) => {
  expect(await call(name, args)).toMatchObject({ isError: true, body: { error: expect.stringContaining(error) } });
});

test('many wrong values are refused with one short error', async () => {
  const platforms = Array.from({ length: 10_000 }, () => 5);
  const { body } = await call('create_post', { content: 'Hi', platforms });
  expect(JSON.stringify(body).length).toBeLessThan(500);
});

describe('an argument that a tool does not have', () => {
  const warning = (field: string) => ({ code: 'UNKNOWN_FIELD', field });

  test.each([
    ['list_posts', { statos: 'draft' }, 'statos'],
    ['list_connections', { limit: 5 }, 'limit'],
    ['account_context', { idempotencyKey: 'once' }, 'idempotencyKey'],
    ['validate_post', { content: 'Hi', platforms: ['service-playground'], contents: 'Hi' }, 'contents'],
  ])('%s with %j is reported in the warnings of the result', async (name, args, field) => {
    expect(await call(name, args)).toMatchObject({ isError: false, body: { warnings: [warning(field)] } });
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s passes it on to its route', async (name, tool) => {
    const args = { ...validArguments(name), surplus: 1 };
    expect(tool.fields?.(args) ?? args).toMatchObject({ surplus: 1 });
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { Registration } from '../src/features/auth/oauth/clients.ts';
import { shownShape } from '../src/foundation/http/openapi/schemas.ts';
import { isBoundedRecord } from '../src/foundation/http/requests/bounded-record.ts';
import { descriptions } from '../src/platforms/descriptions.ts';
import { connectables } from '../src/platforms/index.ts';
import { type DescribedService, describedService, prefix } from './support/documents/described-service.ts';
import { wrongLists } from './support/documents/wrong-lists.ts';

/** Checks every schema that a request can reach, so that none turns a million wrong entries into a million issues. */

let service: DescribedService;
beforeAll(async () => {
  service = await describedService({});
});
afterAll(() => service.close());

const parts = ['body', 'querystring', 'params', 'headers'] as const;

function requestSchemas(): [name: string, schema: unknown][] {
  const routes = service.all.flatMap(({ method, url, schema = {} }) =>
    parts.flatMap((part): [string, unknown][] =>
      schema[part] === undefined ? [] : [[`${method} ${url} ${part}`, schema[part]]],
    ),
  );
  return [
    ...routes,
    ['POST /register', Registration],
    ...descriptions.map(({ id, settings }): [string, unknown] => [`settings of ${id}`, settings]),
    ...Object.values(connectables).flatMap(({ id, connect }): [string, unknown][] =>
      connect.fields ? [[`form of ${id}`, connect.fields]] : [],
    ),
  ];
}

describe('every array and record of a request is bounded before its entries are looked at', () => {
  test('in the schemas of all routes, of settings, of forms and of OAuth', () => {
    const schemas = requestSchemas();
    expect(schemas.length).toBeGreaterThan(200);
    const lists = schemas.flatMap(([name, schema]) => [...containersIn(schema, name, new Set())]);
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter(({ schema }) => !isBounded(schema)).map(({ path }) => path)).toEqual([]);
  });

  test('a bound that comes after another check is found, and one that is missing', () => {
    const late = z
      .array(z.string())
      .refine(() => true)
      .max(3);
    expect([z.array(z.string()).max(3), late, z.array(z.string())].map(isBounded)).toEqual([true, false, false]);
  });
});

describe('every text of a request has a maximum length', () => {
  /** The server limits the lengths of headers and path segments. */
  const endless = () =>
    requestSchemas()
      .filter(([name]) => !/ (params|headers)$/.test(name))
      .flatMap(([name, schema]) => [...endlessTexts(schema, name)]);

  test('in its schema, or where it is read', () => {
    const unknown = endless().filter((name) => !readElsewhere.some(([where]) => where.test(name)));
    expect(unknown).toEqual([]);
  });

  test('every exception is needed', () => {
    const found = endless();
    expect(readElsewhere.filter(([where]) => !found.some((name) => where.test(name)))).toEqual([]);
  });

  test('a text without one is found', () => {
    const schema = z.object({ a: z.array(z.string().trim()), b: z.string().max(3).optional() });
    expect([...endlessTexts(schema, 'body')]).toEqual(['body.a']);
  });
});

test('outside of the API, the routes that check a body without a schema are known', () => {
  const without = service.all.filter(
    ({ method, url, schema }) =>
      ['POST', 'PUT', 'PATCH'].includes(String(method)) && !url.startsWith(prefix) && schema?.body === undefined,
  );
  expect(without.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    'POST /',
    'POST /authorize',
    'POST /mcp',
    'POST /register',
    'POST /token',
    'PUT /media/upload/*',
  ]);
});

test('no answer to many wrong entries is long, whichever list of whichever route has them', async () => {
  const ada = await service.aUser();
  await setAccess(service.app, ada.id, { workspace: true });
  const payload = { email: 'session@example.com', password: 'correct horse battery' };
  const signUp = await service.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload });
  const platforms = [await ada.aConnection('linkedin')];
  const { body: post } = await ada.call('POST', '/create-post', { content: 'A draft', platforms });
  const attacks = wrongLists(service, { ids: { postGroupId: post.postGroupId }, platforms });
  expect(attacks.length).toBeGreaterThan(40);
  const long: unknown[] = [];
  for (const { name, method, url, takesKey, body } of attacks) {
    const credentials = takesKey
      ? { 'x-service-key': ada.apiKey }
      : { authorization: `Bearer ${signUp.json().accessToken}` };
    const headers = url.startsWith(prefix) ? credentials : { accept: 'application/json' };
    const answer = await service.server.inject({ method, url, headers, payload: body(10_000) });
    // An import returns a result for each post.
    const isRefused = answer.statusCode === 400 || answer.json().failed === 1;
    if (answer.body.length > 4000 || !isRefused) long.push([name, answer.statusCode, answer.body.slice(0, 500)]);
  }
  expect(long).toEqual([]);
});

/** Texts without a maximum in their schema. Each is bounded by the body size, and then by the reason given here. */
const readElsewhere: [where: RegExp, reason: string][] = [
  [/^form of | body\.fields$/, 'connect.ts refuses a long form'],
  [/ body\.password$/, 'no password that long is ever hashed'],
  [
    /\b(expiresAt|scheduledTime|slots\.time|timeZone|language|allowedAddresses)$/,
    'a pattern or a list says what passes',
  ],
  [/\b(\w+Ids?|accountIds|username|email|userAccessToken|attachToken)$/, 'it is only compared'],
  [/\b(altText|platformContent|platformMedia)$/, 'contract.md has the error for a long one'],
  [/\b(mediaUrls\.url|download_url|coverUrl|thumbnail\.(url|path))$/, 'parseUrl refuses a long one'],
  [/\b(contentType|mime_type|file_name|metadata|video|thumbnail|cover)$/, 'it is cut, or compared with a list'],
  [/^settings of (linkedin|youtube)\./, 'validation of the post has the error for a long one'],
  [/^POST \/register\./, 'it is cut, or compared with a list'],
  [/^POST \/networks\/:platform\/(deauthorized|data-deletion) body$/, 'the signature of the network decides'],
];

function* endlessTexts(schema: unknown, path: string): Generator<string> {
  if (!(schema instanceof z.ZodType)) return;
  if (schema instanceof z.ZodString && schema.maxLength === null) yield path;
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) yield* endlessTexts(field, `${path}.${name}`);
  for (const part of Object.values(schema._zod.def).flat()) yield* endlessTexts(part, path);
}

const tooMany = Array.from({ length: 20_000 }, () => Symbol('wrong'));

/** A record of anything reports no issue for an entry. */
function isBounded(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodRecord) return isBoundedRecord(schema) || schema.valueType instanceof z.ZodUnknown;
  const { error } = z.safeParse(schema, tooMany);
  return error?.issues.length === 1 && error.issues[0]?.code === 'too_big';
}

interface Container {
  path: string;
  schema: z.core.$ZodType;
}

/** The arrays and records in a schema, and in the documented shape of unchecked values. */
function* containersIn(schema: unknown, path: string, seen: Set<unknown>): Generator<Container> {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return;
  seen.add(schema);
  const { def } = schema._zod;
  if (schema instanceof z.ZodArray || schema instanceof z.ZodRecord) yield { path, schema };
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) yield* containersIn(field, `${path}.${name}`, seen);
  }
  for (const part of Object.values(def).flat()) yield* containersIn(part, path, seen);
  yield* containersIn(shownShape(schema), path, seen);
  expect(supported).toContain(def.type);
}

/** Schema kinds whose parts are all visited above. */
const supported = [
  ...['string', 'number', 'int', 'boolean', 'null', 'literal', 'enum', 'unknown', 'custom', 'transform', 'never'],
  ...['object', 'array', 'record', 'union', 'intersection', 'pipe', 'optional', 'nullable', 'default', 'catch'],
];

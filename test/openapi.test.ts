import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enableWorkspace } from '../src/accounts/accounts.ts';
import { type ProblemEntry, type ProblemKey, problems } from '../src/errors.ts';
import { apiKeyAccess } from '../src/http/auth.ts';
import { sessionAccess } from '../src/http/session.ts';
import { testClock } from './support/app.ts';
import { aForm, injectForm } from './support/inject-form.ts';
import { anImage } from './support/media-files.ts';
import { type TestService, type TestUser, testService } from './support/service.ts';
import { type TemporaryFolder, temporaryFolder } from './support/temporary-server.ts';

const prefix = '/api/v1';
const clock = testClock();
let folder: TemporaryFolder;
let service: TestService;
let ada: TestUser;
let accessToken: string;
let target: string;
let ownIds: Record<string, string>;
let document: Document;
/** As they were registered, whether the document has them or not. */
const registered: (RouteOptions & { url: string })[] = [];

/** Fastify tells of each server that it makes, so that its routes can be listed from the first on. */
function listRoutes(message: unknown) {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => void registered.push(route));
}

beforeAll(async () => {
  folder = await temporaryFolder();
  subscribe('fastify.initialization', listRoutes);
  try {
    service = await testService({ clock, environment: { DATA_DIR: folder.path } });
  } finally {
    unsubscribe('fastify.initialization', listRoutes);
  }
  await service.server.ready();
  document = service.server.swagger() as unknown as Document;
  ada = await service.aUser({ plan: 'pro' });
  target = await ada.aConnection('bluesky');
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow();
  ({ accessToken } = (await ada.call('POST', '/auth/signin', { email, password: 'long enough' })).body);
  await enableWorkspace(service.app, { user: ada.id });
  ownIds = await makeOwnIds();
});

/** What the fields of a path can name, so that a request gets as far as it can. */
async function makeOwnIds() {
  const draft = await ada.call('POST', '/create-post', { content: 'Draft', platforms: [target] });
  const session = { authorization: `Bearer ${accessToken}` };
  const key = await ada.call('POST', '/auth/api-keys', {}, session);
  const user = await vi.waitFor(async () => {
    const made = await ada.call('POST', '/workspace/users', { username: 'managed@example.com' });
    expect(made.status).toBe(201);
    return made;
  });
  const { postGroupId } = draft.body;
  return {
    postGroupId,
    keyId: key.body.apiKey._id,
    userId: user.body.user._id,
    mediaFileId: await anUpload(postGroupId),
    sessionId: await aSession(postGroupId),
  };
}

/** A file that is there. */
async function anUpload(postGroupId: string): Promise<string> {
  const { bytes } = await anImage({ type: 'png' });
  const file = { postGroupId, fileName: 'a.png', contentType: 'image/png' };
  const { mediaId, uploadUrl } = (await ada.call('POST', '/get-upload-url', file)).body;
  const headers = { 'content-type': 'image/png' };
  await service.server.inject({ method: 'PUT', url: uploadUrl, headers, payload: bytes });
  return mediaId;
}

/** One that has ended: who listens to any other waits. */
async function aSession(postGroupId: string): Promise<string> {
  const sessionId = randomUUID();
  const form = aForm({ sessionId, postGroupId }, 'video', Buffer.from('no video'));
  const { status } = await injectForm(service.server, '/process-video', form, { 'x-service-key': ada.apiKey });
  expect(status).toBe(400);
  return sessionId;
}
afterAll(async () => {
  await service.close();
  await folder.remove();
});

interface Schema {
  [keyword: string]: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  description?: string;
}
interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema?: Schema;
}
interface Operation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, Schema>; schemas?: Record<string, Schema> };
}
interface Route {
  name: string;
  method: string;
  path: string;
  operation: Operation;
  options: RouteOptions;
}

/** All routes of the API but the document itself. HEAD comes with GET. */
const apiRoutes = () =>
  registered.filter(
    ({ url, method }) => url.startsWith(`${prefix}/`) && url !== `${prefix}/openapi.json` && method !== 'HEAD',
  );

/** As the document has them, with what was registered. */
const routes = (): Route[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const url = prefix + path.replace(/\{(\w+)\}/g, ':$1');
      const options = registered.find((each) => each.url === url && each.method === method.toUpperCase());
      if (!options) throw new Error(`${method} ${url} is in the document, but is no route.`);
      return { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, operation, options };
    }),
  );

const bodyOf = ({ operation }: Route) => operation.requestBody?.content['application/json']?.schema;
const formOf = ({ operation }: Route) => operation.requestBody?.content['multipart/form-data']?.schema;
/** Of the object, also where it may be null. */
const propertiesOf = (schema: Schema | undefined): Record<string, Schema> =>
  Object.assign({}, schema?.properties, ...(schema?.anyOf ?? []).map(propertiesOf));
const isSuccess = (status: string) => status.startsWith('2');
const without = <T>(list: T[], test: (item: T) => boolean) => list.filter((item) => !test(item));
const nameOf = ({ name }: Route) => name;
const reads = ({ method }: Route) => method === 'GET';

describe('the OpenAPI document', () => {
  test('is the one that is committed', () => {
    const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('is what the service answers at /api/v1/openapi.json', async () => {
    const answer = await service.server.inject(`${prefix}/openapi.json`);
    expect([answer.statusCode, answer.json()]).toEqual([200, JSON.parse(JSON.stringify(document))]);
  });

  test('has every route of the API', () => {
    const urls = apiRoutes().map(({ method, url }) => `${method} ${url.slice(prefix.length)}`);
    expect(urls.length).toBeGreaterThan(20);
    const described = routes().map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1'));
    expect(described.sort()).toEqual(urls.sort());
  });

  test('gives each route an operation id of its own, a summary and a tag', () => {
    const ids = routes().map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const poor = without(routes(), ({ operation: { summary, tags } }) => Boolean(summary) && tags?.length === 1);
    expect(poor.map(nameOf)).toEqual([]);
    const summaries = routes().map(({ operation }) => operation.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
  });

  test('says of each route how to get in', () => {
    const schemes = Object.keys(document.components.securitySchemes);
    expect(schemes.sort()).toEqual(['apiKey', 'session']);
    const open = without(routes(), ({ operation: { security } }) =>
      Boolean(security?.every((entry) => Object.keys(entry).every((scheme) => schemes.includes(scheme)))),
    );
    expect(open.map(nameOf)).toEqual([]);
  });

  test('says of each route what success looks like', () => {
    const poor = without(routes(), ({ operation }) => {
      const success = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
      const [type, { schema } = {}] = Object.entries(success[0]?.[1].content ?? {})[0] ?? [];
      const isTold =
        type === 'application/json' ? Object.keys(schema?.properties ?? {}).length > 0 : schema?.description;
      return success.length === 1 && Boolean(isTold);
    });
    expect(poor.map(nameOf)).toEqual([]);
  });

  test('has the problems that a route names, those of getting in, those of any body and its failure', () => {
    const missing = routes().flatMap((route) => {
      const { name, operation, options } = route;
      const common = 'apiKey' in (operation.security?.[0] ?? {}) ? apiKeyAccess : sessionAccess;
      const keys: ProblemKey[] = [
        ...(options.config?.problems ?? []),
        ...common.problems,
        ...(reads(route) ? [] : formOf(route) ? formProblems : bodyProblems),
        options.config?.failure ?? 'internal',
      ];
      return keys.filter((key) => !isDescribed(operation, problems[key])).map((key) => `${name}: ${key}`);
    });
    expect(missing).toEqual([]);
  });

  test('lists under a status nothing but problems of that status', () => {
    const texts = Object.values(problems).map(lineOf);
    const wrong = routes().flatMap(({ name, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => !isSuccess(status))
        .flatMap(([status, { description = '' }]) =>
          linesOf(description)
            .filter((line) => !texts.includes(line) || !statusesOf(line).includes(Number(status)))
            .map((line) => `${name} ${status}: ${line}`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('describes a body for each route that takes one, with the fields of the contract', () => {
    const fields = Object.fromEntries(
      routes()
        .filter((route) => bodyOf(route) ?? formOf(route))
        .map((route) => [route.name, Object.keys(propertiesOf(bodyOf(route) ?? formOf(route)))]),
    );
    const postFields = [
      'content',
      'platforms',
      'scheduledTime',
      'status',
      'publishNow',
      'platformSettings',
      'mediaUrls',
      'firstComment',
      'firstComments',
    ];
    expect(fields).toMatchObject({
      'POST /create-post': postFields,
      'PUT /update-post/{postGroupId}': postFields,
      'POST /validate-post': postFields,
      'POST /workspace/users': ['username', 'displayName'],
      'POST /workspace/users/attach': ['email', 'username', 'userId', 'userAccessToken', 'attachToken'],
      'POST /workspace/users/{userId}/connection-url': ['expiresInDays', 'rotate'],
      'POST /auth/api-keys': ['name'],
      'PATCH /auth/api-keys/{keyId}': ['name'],
      'POST /get-upload-url': ['fileName', 'contentType', 'postGroupId', 'type'],
      'POST /attach-media/{postGroupId}': ['file', 'fileName'],
      'POST /upload-youtube-thumbnail': ['thumbnail', 'postGroupId'],
      'POST /upload-instagram-cover': ['cover', 'postGroupId'],
      'POST /process-video': ['postGroupId', 'sessionId', 'video'],
    });
    const undescribed = routes().filter(
      (route) => Boolean(route.options.schema?.body) !== Boolean(bodyOf(route) ?? formOf(route)),
    );
    expect(undescribed.map(nameOf)).toEqual([]);
    const empty = routes().filter((route) => bodyOf(route) && Object.keys(propertiesOf(bodyOf(route))).length === 0);
    expect(empty.map(nameOf)).toEqual([]);
  });

  test('has the headers of the contract on each route behind a key', () => {
    const keyed = routes().filter(({ operation }) => 'apiKey' in (operation.security?.[0] ?? {}));
    const poor = without(keyed, ({ operation }) => {
      const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
      const names = headers.map(({ name }) => name);
      return ['x-service-user-id', 'x-service-client'].every((name) => names.includes(name));
    });
    expect(poor.map(nameOf)).toEqual([]);
    const retryable = keyed.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'idempotency-key'),
    );
    expect(retryable.map(nameOf)).toEqual([
      'POST /create-post',
      'PUT /update-post/{postGroupId}',
      'POST /attach-media/{postGroupId}',
    ]);
  });

  test('is valid OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: expect.any(String), version: '1.0.0' });
    expect(document.servers).toEqual([{ url: prefix }]);
    const faults = [
      ...Object.keys(document).filter((key) => !rootKeys.includes(key)),
      ...Object.entries(document.paths).flatMap(([path, methods]) => [
        ...(path.startsWith('/') && !path.endsWith('/') ? [] : [`${path}: no path`]),
        ...Object.keys(methods)
          .filter((method) => !['get', 'put', 'post', 'delete', 'patch'].includes(method))
          .map((method) => `${path}: ${method}`),
      ]),
      ...routes().flatMap((route) => operationFaults(route).map((fault) => `${route.name}: ${fault}`)),
      ...referenceFaults(document),
    ];
    expect(faults).toEqual([]);
  });
});

/** Of whatever parses a body, before the route sees it. */
const bodyProblems = [
  'invalid_json',
  'text_invalid',
  'body_too_large',
  'unsupported_media_type',
] as const satisfies ProblemKey[];

/** Of what parses a form. */
const formProblems = ['form_required', 'form_invalid', 'upload_broken_off'] as const satisfies ProblemKey[];

const lineOf = ({ error, code }: ProblemEntry) => `- ${code ? `\`${code}\`: ` : ''}${error}`;
const linesOf = (description: string) => description.split('\n').filter((line) => line.startsWith('- '));
const statusesOf = (line: string) =>
  Object.values(problems)
    .filter((entry) => lineOf(entry) === line)
    .map(({ status }) => status as number);
const isDescribed = ({ responses }: Operation, entry: ProblemEntry) =>
  linesOf(responses[entry.status]?.description ?? '').includes(lineOf(entry));

const rootKeys = ['openapi', 'info', 'servers', 'paths', 'components', 'tags', 'security', 'externalDocs'];
const operationKeys = [
  ...['operationId', 'summary', 'description', 'tags', 'security', 'parameters', 'requestBody', 'responses'],
  'deprecated',
];

function operationFaults({ path, operation, method }: Route): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameters = operation.parameters ?? [];
  const named = parameters.filter((parameter) => parameter.in === 'path');
  const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
  return [
    ...Object.keys(operation).filter((key) => !operationKeys.includes(key)),
    ...(JSON.stringify(named.map(({ name }) => name)) === JSON.stringify(inPath) ? [] : ['parameters of the path']),
    ...named.filter(({ required }) => required !== true).map(({ name }) => `${name} is not required`),
    ...(new Set(keys).size === keys.length ? [] : ['a parameter twice']),
    ...parameters
      .filter((parameter) => !['path', 'query', 'header', 'cookie'].includes(parameter.in))
      .map(({ name }) => `${name} is nowhere`),
    ...parameters.flatMap(({ name, schema }) => (schema ? schemaFaults(schema, name) : [`${name} has no schema`])),
    ...(operation.requestBody && method === 'GET' ? ['a body with GET'] : []),
    ...Object.entries(operation.requestBody?.content ?? {}).flatMap(([, { schema }]) => schemaFaults(schema, 'body')),
    ...Object.entries(operation.responses).flatMap(([status, { description, content }]) => [
      ...(/^[2-5]\d\d$/.test(status) ? [] : [`status ${status}`]),
      ...(description ? [] : [`${status} has no description`]),
      ...Object.values(content ?? {}).flatMap(({ schema }) => schemaFaults(schema, status)),
    ]),
  ];
}

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
/** JSON Schema 2020-12, as far as we use it. `nullable` and boolean `exclusiveMinimum` are of OpenAPI 3.0. */
const keywords = new Set([
  ...['type', 'properties', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'default', '$ref'],
  ...['additionalProperties', 'propertyNames', 'description', 'title', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'examples'],
  ...['prefixItems', 'uniqueItems', 'readOnly', 'writeOnly', 'deprecated'],
]);

function schemaFaults(schema: Schema, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [`${at} is no schema`];
  const { type = [], properties = {}, required = [], pattern, exclusiveMinimum = 0, exclusiveMaximum = 0 } = schema;
  const inner: [string, unknown][] = [
    ...Object.entries(properties).map(([name, each]): [string, unknown] => [`${at}.${name}`, each]),
    ...['items', 'not', 'additionalProperties', 'propertyNames']
      .filter((key) => typeof schema[key] === 'object')
      .map((key): [string, unknown] => [`${at}.${key}`, schema[key]]),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) =>
      ((schema[key] ?? []) as unknown[]).map((each, index): [string, unknown] => [`${at}.${key}.${index}`, each]),
    ),
  ];
  return [
    ...Object.keys(schema)
      .filter((key) => !keywords.has(key))
      .map((key) => `${at} has ${key}`),
    ...[type]
      .flat()
      .filter((each) => !types.includes(each))
      .map((each) => `${at} has type ${each}`),
    ...required.filter((name) => !(name in properties)).map((name) => `${at} requires ${name}, which it does not have`),
    ...(typeof pattern === 'string' && !isPattern(pattern) ? [`${at} has a pattern that is none`] : []),
    ...(typeof exclusiveMinimum === 'number' && typeof exclusiveMaximum === 'number' ? [] : [`${at} has 3.0 limits`]),
    ...inner.flatMap(([name, each]) => schemaFaults(each as Schema, name)),
  ];
}

function isPattern(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

function referenceFaults(root: Document): string[] {
  const references = [...JSON.stringify(root).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
  return references.filter((reference) => {
    const steps = reference.replace(/^#\//, '').split('/');
    return !steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], root);
  });
}

describe('whatever is sent', { timeout: 120_000 }, () => {
  const wrongValues = [null, true, 7, -1, 1.5, 1e300, '', ' ', 'text', [], [null], [{}], {}, { a: { b: 1 } }, [['x']]];
  const texts = ['x'.repeat(200_000), '\0', '\ud800', '😀'.repeat(500), '<script>', "'; drop table users; --", '%s %n'];
  const badIds = ['x', '0', 'f'.repeat(23), 'f'.repeat(25), 'g'.repeat(24), '%00', '..%2f..', '%F0%9F%98%80'];
  const unknownId = '0123456789abcdef01234567';

  /** Something that goes through, so that a wrong field is the only thing wrong. */
  const validBody = (): Record<string, Record<string, unknown>> => ({
    'POST /create-post': { content: 'Hello', platforms: [target] },
    'POST /validate-post': { content: 'Hello', platforms: [target] },
    'PUT /update-post/{postGroupId}': { content: 'Hello' },
    'POST /auth/signup': { email: 'new@example.com', password: 'long enough' },
    'POST /auth/signin': { email: 'nobody@example.com', password: 'long enough' },
    'POST /workspace/users': { username: 'client@example.com' },
    'POST /workspace/users/attach': { email: 'client@example.com' },
    'PATCH /auth/api-keys/{keyId}': { name: 'Key' },
    'POST /get-upload-url': { fileName: 'a.png', contentType: 'image/png', postGroupId: ownIds.postGroupId },
    'POST /media/generate-upload-url': { fileName: 'a.png', contentType: 'image/png', postGroupId: ownIds.postGroupId },
    // A place that the guard lets nobody go, so that what is wrong with the rest is told.
    'POST /attach-media/{postGroupId}': { file: { download_url: 'https://10.0.0.1/a.png', file_id: '1' } },
  });

  /** Answers without a code that say more than the table does. */
  const ownWords: [RegExp, ProblemKey][] = [
    [/^(platformSettings\.|YouTube (playlist|thumbnail) )/, 'platform_setting_invalid'],
    [/\bInvalid (input|option)\b|\bToo (big|small)\b|\bUnrecognized key/, 'invalid_request'],
  ];

  interface Sent {
    path?: string;
    body?: unknown;
    headers?: Record<string, string>;
  }

  /** Answers that are not as the document says, told with the request. */
  async function unforeseen(route: Route, { path = pathOf(route), body, headers = {} }: Sent): Promise<string[]> {
    // Attempts to sign in are limited by the minute.
    if (route.path.startsWith('/auth/')) clock.advance({ seconds: 61 });
    const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
    const answer = await service.server.inject({
      method: route.method as 'GET',
      url: prefix + path,
      headers: {
        'x-service-key': ada.apiKey,
        // To sign out for good would end the others too soon.
        ...(route.path !== '/auth/signout' && { authorization: `Bearer ${accessToken}` }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text !== undefined && { payload: text }),
    });
    const told = `${route.method} ${path} ${(text ?? '').slice(0, 120)} → ${answer.statusCode} ${answer.body.slice(0, 200)}`;
    if (answer.statusCode >= 500 && !(route.path.startsWith('/get-post/') && answer.statusCode === 500)) return [told];
    if (!(answer.statusCode in route.operation.responses)) return [`${told} (status not in the document)`];
    if (answer.statusCode < 400) return [];
    // A page for people says it in its own way.
    if (String(answer.headers['content-type']).startsWith('text/html')) return [];
    const { error, code } = answer.json() as { error: string; code?: string };
    const lines = linesOf(route.operation.responses[answer.statusCode]?.description ?? '');
    const own = ownWords.find(([words]) => words.test(error));
    const known = own
      ? lines.includes(lineOf(problems[own[1]]))
      : lines.some((line) => {
          const [, lineCode, text = ''] = /^- (?:`(\w+)`: )?(.*)$/.exec(line) ?? [];
          return code === undefined ? error.startsWith(text) : code === lineCode;
        });
    return known ? [] : [`${told} (problem not in the document)`];
  }

  const pathOf = ({ path, method }: Route) =>
    path.replace(/\{(\w+)\}/, (_, name) => (method === 'DELETE' ? unknownId : ownIds[name]!));

  async function all(cases: (route: Route) => Sent[]): Promise<string[]> {
    const wrong: string[] = [];
    for (const route of routes()) {
      for (const sent of cases(route)) wrong.push(...(await unforeseen(route, sent)));
    }
    return [...new Set(wrong)];
  }

  test('a field of the wrong kind is answered as the document says', async () => {
    const cases = (route: Route): Sent[] =>
      Object.keys(propertiesOf(bodyOf(route))).flatMap((field) =>
        [...wrongValues, ...texts].map((value) => ({ body: { ...validBody()[route.name], [field]: value } })),
      );
    expect(await all(cases)).toEqual([]);
  });

  test('a field of an inner object of the wrong kind is answered as the document says', {
    timeout: 120_000,
  }, async () => {
    const cases = (route: Route): Sent[] =>
      Object.entries(propertiesOf(bodyOf(route))).flatMap(([field, schema]) =>
        Object.entries(propertiesOf(schema)).flatMap(([inner, innerSchema]) => [
          ...wrongValues.map((value) => ({ body: { ...validBody()[route.name], [field]: { [inner]: value } } })),
          ...Object.keys(propertiesOf(innerSchema)).flatMap((last) =>
            [null, 7, 'x', '', [], {}, '\0'].map((value) => ({
              body: { ...validBody()[route.name], [field]: { [inner]: { [last]: value } } },
            })),
          ),
        ]),
      );
    expect(await all(cases)).toEqual([]);
  });

  test('a body that is none is answered as the document says', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const bodies = ['', '{', 'null', '[]', '"text"', '7', 'true', '{"a":1}', '{"__proto__":{}}', deep];
    const cases = (route: Route): Sent[] =>
      reads(route)
        ? [{}]
        : [
            {},
            ...bodies.map((body) => ({ body })),
            { body: `{"content":"${'x'.repeat(1_100_000)}"}` },
            ...['text/plain', 'application/xml', 'multipart/form-data', 'application/x-www-form-urlencoded', 'x'].map(
              (type) => ({ body: 'a=1', headers: { 'content-type': type } }),
            ),
          ];
    expect(await all(cases)).toEqual([]);
  });

  test('an id that is none is answered as the document says', async () => {
    const cases = (route: Route): Sent[] =>
      route.path.includes('{')
        ? badIds.map((id) => ({ path: route.path.replace(/\{\w+\}/, id), ...(!reads(route) && { body: {} }) }))
        : [];
    expect(await all(cases)).toEqual([]);
  });

  test('a path that is no text is refused', async () => {
    const wrong = routes().filter(({ path }) => path.includes('{'));
    for (const { method, path } of wrong) {
      const url = prefix + path.replace(/\{\w+\}/, '%ff');
      const answer = await service.server.inject({ method: method as 'GET', url });
      expect([url, answer.statusCode]).toEqual([url, 400]);
    }
  });

  test('get-post alone answers 500 to a malformed id, as the contract says', async () => {
    const answer = await ada.call('GET', '/get-post/nonsense');
    expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to fetch post group' }]);
  });

  test('a parameter of the wrong kind is answered as the document says', async () => {
    const values = [
      '',
      '0',
      '-1',
      '1e9',
      'NaN',
      'x'.repeat(5000),
      '%00',
      '%F0%9F%98%80',
      '%25',
      "'",
      '2027-02-30',
      '[]',
    ];
    const cases = (route: Route): Sent[] =>
      (route.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) =>
          [...values.map((value) => `${name}=${value}`), `${name}=1&${name}=2`, `${name}[a]=1`, name].map((query) => ({
            path: `${pathOf(route)}?${query}`,
          })),
        );
    expect(await all(cases)).toEqual([]);
  });

  test('a header of the wrong kind is answered as the document says', async () => {
    const headers = ['x-service-key', 'x-service-user-id', 'x-service-client', 'idempotency-key', 'authorization'];
    const values = ['', 'x', 'mcp', 'x'.repeat(5000), unknownId, `sk_${'x'.repeat(30)}.${'0'.repeat(52)}`];
    const cases = (route: Route): Sent[] =>
      headers.flatMap((name) =>
        values.map((value) => ({
          headers: { [name]: value },
          ...(!reads(route) && { body: validBody()[route.name] ?? {} }),
        })),
      );
    expect(await all(cases)).toEqual([]);
  });
});

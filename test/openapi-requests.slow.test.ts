import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { codeOf, isProblemKey, problems } from '../src/foundation/errors/index.ts';
import { lineOf } from '../src/foundation/http/openapi/problems.ts';
import { type TemporaryFolder, temporaryFolder } from './support/database/temporary-server.ts';
import {
  bodyOf,
  type DescribedService,
  describedService,
  linesOf,
  prefix,
  problemLines,
  propertiesOf,
  type Route,
} from './support/documents/described-service.ts';
import { eventually } from './support/eventually.ts';
import { anImage } from './support/files/media.ts';
import { secretWatch } from './support/secrets/watch.ts';
import { testClock } from './support/service/app.ts';
import { aForm, injectForm } from './support/service/inject-form.ts';
import type { TestUser } from './support/service/service.ts';

/** Sends wrong requests to every route: each must get a response that its OpenAPI document lists. */

const clock = testClock();
let folder: TemporaryFolder;
let service: DescribedService;
let ada: TestUser;
let accessToken: string;
let target: string;
let ownIds: Record<string, string>;

beforeAll(async () => {
  // All fields share the same values here, including the password.
  secretWatch.stop();
  folder = await temporaryFolder();
  service = await describedService({ clock, environment: { DATA_DIR: folder.path } });
  ada = await service.aUser({ plan: 'pro' });
  target = await ada.aConnection('bluesky');
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ada.id)
    .executeTakeFirstOrThrow();
  ({ accessToken } = (await ada.call('POST', '/auth/signin', { email, password: 'long enough' })).body);
  await setAccess(service.app, ada.id, { workspace: true });
  ownIds = await makeOwnIds();
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

/** Ids for path parameters, so that a request gets as far as possible. */
async function makeOwnIds() {
  const draft = await ada.call('POST', '/create-post', { content: 'Draft', platforms: [target] });
  const session = { authorization: `Bearer ${accessToken}` };
  const key = await ada.call('POST', '/auth/api-keys', {}, session);
  const user = await eventually(async () => {
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
    sessionId: await anEndedSession(postGroupId),
  };
}

async function anUpload(postGroupId: string): Promise<string> {
  const { bytes } = await anImage({ type: 'png' });
  const file = { postGroupId, fileName: 'a.png', contentType: 'image/png' };
  const { mediaId, uploadUrl } = (await ada.call('POST', '/get-upload-url', file)).body;
  const headers = { 'content-type': 'image/png' };
  await service.server.inject({ method: 'PUT', url: uploadUrl, headers, payload: bytes });
  return mediaId;
}

/** A process-video session. It has ended, because a request that follows a running session waits for its end. */
async function anEndedSession(postGroupId: string): Promise<string> {
  const sessionId = randomUUID();
  const form = aForm({ sessionId, postGroupId }, 'video', Buffer.from('no video'));
  const { status } = await injectForm(service.server, '/process-video', form, { 'x-service-key': ada.apiKey });
  expect(status).toBe(400);
  return sessionId;
}

const reads = ({ method }: Route) => method === 'GET';
const wrongValues = [null, true, 7, -1, 1.5, 1e300, '', ' ', 'text', [], [null], [{}], {}, { a: { b: 1 } }, [['x']]];
const texts = ['x'.repeat(200_000), '\0', '\ud800', '😀'.repeat(500), '<script>', "'; drop table users; --", '%s %n'];
const badIds = ['x', '0', 'f'.repeat(23), 'f'.repeat(25), 'g'.repeat(24), '%00', '..%2f..', '%F0%9F%98%80'];
const unknownId = '0123456789abcdef01234567';

/** Bodies that succeed, so that a test changes only one field. */
const validBody = (): Record<string, Record<string, unknown>> => ({
  'POST /create-post': { content: 'Hello', platforms: [target] },
  'POST /validate-post': { content: 'Hello', platforms: [target] },
  'POST /import': { posts: [{ content: 'Hello', platforms: [target], idempotencyKey: 'one' }] },
  'PUT /update-post/{postGroupId}': { content: 'Hello' },
  'POST /auth/signup': { email: 'new@example.com', password: 'long enough' },
  'POST /auth/signin': { email: 'nobody@example.com', password: 'long enough' },
  'POST /workspace/users': { username: 'client@example.com' },
  'POST /workspace/users/attach': { email: 'client@example.com' },
  'PATCH /auth/api-keys/{keyId}': { name: 'Key' },
  'POST /get-upload-url': { fileName: 'a.png', contentType: 'image/png', postGroupId: ownIds.postGroupId },
  'POST /media/generate-upload-url': { fileName: 'a.png', contentType: 'image/png', postGroupId: ownIds.postGroupId },
  // The egress guard rejects this URL, so that the other fields decide the response.
  'POST /attach-media/{postGroupId}': { file: { download_url: 'https://10.0.0.1/a.png', file_id: '1' } },
});

interface Sent {
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The request and its response, if the document does not list the response. */
async function unlisted(route: Route, { path = pathOf(route), body, headers = {} }: Sent): Promise<string[]> {
  // Sign-in attempts are limited per minute.
  if (route.path.startsWith('/auth/')) clock.advance({ seconds: 61 });
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
  const request: InjectOptions = {
    method: route.method as 'GET',
    url: prefix + path,
    headers: {
      'x-service-key': ada.apiKey,
      // A real sign-out would end the session that the other requests need.
      ...(route.path !== '/auth/signout' && { authorization: `Bearer ${accessToken}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { payload: text }),
  };
  if (route.options.config?.isStream && (await opensStream(request))) return [];
  const answer = await service.server.inject(request);
  const exchange = `${route.method} ${path} ${(text ?? '').slice(0, 120)} → ${answer.statusCode} ${answer.body.slice(0, 200)}`;
  if (answer.statusCode >= 500 && !(route.path.startsWith('/get-post/') && answer.statusCode === 500))
    return [exchange];
  const status = String(answer.statusCode);
  if (answer.statusCode < 400) return status in route.operation.responses ? [] : [`${exchange} (status not listed)`];
  // Pages for people have their own texts.
  if (String(answer.headers['content-type']).startsWith('text/html')) return [];
  const { code } = answer.json() as { code: string };
  return isListed(linesFor(route, status), code) ? [] : [`${exchange} (error not listed)`];
}

/** An event stream never ends by itself. */
async function opensStream(request: InjectOptions): Promise<boolean> {
  const answer = await service.server.inject({ ...request, payloadAsStream: true });
  answer
    .stream()
    .on('error', () => {})
    .destroy();
  return answer.statusCode === 200;
}

/** A route without a body does not list the errors for an unexpected body. */
function linesFor(route: Route, status: string): string[] {
  const { responses = {} } = route.document.components;
  const unexpectedBody = [responses.BadRequest, responses.PayloadTooLarge, responses.UnsupportedMediaType];
  return [...problemLines(route, status), ...(route.operation.requestBody ? [] : unexpectedBody.flatMap(linesOf))];
}

/** Every error has a code, which identifies its lines in the document. */
const isListed = (lines: string[], code: string) =>
  Object.keys(problems)
    .filter(isProblemKey)
    .some((key) => codeOf(key) === code && lines.includes(lineOf(problems[key])));

const pathOf = ({ path, method }: Route) =>
  path.replace(/\{(\w+)\}/, (_, name) => (method === 'DELETE' ? unknownId : ownIds[name]!));

async function all(cases: (route: Route) => Sent[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const route of service.routes) {
    for (const sent of cases(route)) wrong.push(...(await unlisted(route, sent)));
  }
  return [...new Set(wrong)];
}

describe('the document lists the answer to', () => {
  test('a field of the wrong type', async () => {
    const cases = (route: Route): Sent[] =>
      Object.keys(propertiesOf(bodyOf(route))).flatMap((field) =>
        [...wrongValues, ...texts].map((value) => ({ body: { ...validBody()[route.name], [field]: value } })),
      );
    expect(await all(cases)).toEqual([]);
  });

  test('a field of the wrong type in an inner object', async () => {
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

  test('a body that is not a JSON object', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const bodies = ['', '{', 'null', '[]', '"text"', '7', 'true', '{"a":1}', '{"__proto__":{}}', deep];
    const types = ['text/plain', 'application/xml', 'multipart/form-data', 'application/x-www-form-urlencoded', 'x'];
    const cases = (route: Route): Sent[] =>
      reads(route)
        ? [{}]
        : [
            {},
            ...bodies.map((body) => ({ body })),
            { body: `{"content":"${'x'.repeat(1_100_000)}"}` },
            ...types.map((type) => ({ body: 'a=1', headers: { 'content-type': type } })),
          ];
    expect(await all(cases)).toEqual([]);
  });

  test('a malformed id', async () => {
    const cases = (route: Route): Sent[] =>
      route.path.includes('{')
        ? badIds.map((id) => ({ path: route.path.replace(/\{\w+\}/, id), ...(!reads(route) && { body: {} }) }))
        : [];
    expect(await all(cases)).toEqual([]);
  });

  test('a parameter of the wrong type', async () => {
    const values = ['', '0', '-1', '1e9', 'NaN', 'x'.repeat(5000), '%00', '%F0%9F%98%80', '%25', "'"];
    const dates = ['2027-02-30', '[]'];
    const cases = (route: Route): Sent[] =>
      (route.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => {
          const wrong = [...values, ...dates].map((value) => `${name}=${value}`);
          const queries = [...wrong, `${name}=1&${name}=2`, `${name}[a]=1`, name];
          return queries.map((query) => ({ path: `${pathOf(route)}?${query}` }));
        });
    expect(await all(cases)).toEqual([]);
  });

  test('a wrong header', async () => {
    const headers = ['x-service-key', 'x-service-user-id', 'x-service-client', 'idempotency-key', 'authorization'];
    const values = ['', 'x', 'mcp', 'x'.repeat(5000), unknownId, `sk_${'x'.repeat(30)}.${'0'.repeat(52)}`];
    const cases = (route: Route): Sent[] =>
      headers.flatMap((name) =>
        values.map((value) => ({
          headers: { [name]: value },
          // Each valid sign-up would take the time of hashing a password.
          ...(!reads(route) && { body: (!route.path.startsWith('/auth/sign') && validBody()[route.name]) || {} }),
        })),
      );
    expect(await all(cases)).toEqual([]);
  });
});

test('a path with invalid percent-encoding is refused', async () => {
  for (const { method, path } of service.routes.filter(({ path }) => path.includes('{'))) {
    const url = prefix + path.replace(/\{\w+\}/, '%ff');
    const answer = await service.server.inject({ method: method as 'GET', url });
    expect([url, answer.statusCode]).toEqual([url, 400]);
  }
});

test('get-post alone answers 500 to a malformed id, as the contract says', async () => {
  const answer = await ada.call('GET', '/get-post/nonsense');
  expect([answer.status, answer.body]).toEqual([500, { error: 'Failed to fetch post group' }]);
});

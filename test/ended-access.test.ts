import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deactivateUser, holdUser, setAccess } from '../src/features/accounts/operator/switches.ts';
import { systemActor } from '../src/features/audit/actors.ts';
import { changeApiKey, revokeApiKey } from '../src/features/auth/api-keys/api-keys.ts';
import { endSessions } from '../src/features/auth/sessions/sessions.ts';
import { anImage } from './support/files/media.ts';
import { serveCounted } from './support/servers/egress.ts';
import { testClock } from './support/service/app.ts';
import { signedIn } from './support/service/media-service.ts';
import { type TestService, type TestUser, testService } from './support/service/service.ts';

/** A request takes effect only if its credential is still valid at that moment, however long it was in progress. */

const clock = testClock(new Date().toISOString());
let service: TestService;
let ada: TestUser;
let connection: string;
let keyId: string;
/** A site that responds only when allowed to. */
let web: Awaited<ReturnType<typeof slowWeb>>;
beforeAll(async () => {
  web = await slowWeb();
  service = await testService({ clock, environment: { EGRESS_ALLOW: web.place } });
});
afterAll(async () => {
  await service.close();
  await web[Symbol.asyncDispose]();
});
beforeEach(async () => {
  web.closeAgain();
  ada = await service.aUser();
  connection = await ada.aConnection();
  ({ id: keyId } = await service.app.db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', ada.id)
    .executeTakeFirstOrThrow());
});

async function slowWeb() {
  const { bytes } = await anImage({ type: 'png' });
  let asked = Promise.withResolvers<void>();
  let allowed = Promise.withResolvers<void>();
  let awaited = 0;
  const server = await serveCounted(async (_request, response) => {
    awaited -= 1;
    if (awaited <= 0) asked.resolve();
    await allowed.promise;
    response.end(bytes);
  });
  return {
    ...server,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
    /** Runs `work` between a request and its response. */
    async whileItAnswers(work: () => Promise<unknown>) {
      await asked.promise;
      await work();
      allowed.resolve();
    },
    /** Closes the gate. `questions`: how many requests arrive together. */
    closeAgain(questions = 1) {
      awaited = questions;
      [asked, allowed] = [Promise.withResolvers(), Promise.withResolvers()];
    },
  };
}

interface Sent {
  headers?: Record<string, string>;
  method?: 'POST' | 'PATCH';
}
const keyOf = (user: TestUser) => ({ 'x-service-key': user.apiKey });

/** Sends the body in two halves. `meanwhile` runs while the service waits for the second. */
async function sendSlowly(
  url: string,
  body: object,
  meanwhile: () => Promise<unknown>,
  { headers = keyOf(ada), method = 'POST' }: Sent = {},
) {
  const text = JSON.stringify(body);
  let started = false;
  const payload = new Readable({
    async read() {
      if (started) return;
      started = true;
      this.push(text.slice(0, 5));
      await meanwhile();
      this.push(text.slice(5));
      this.push(null);
    },
  });
  const all = { 'content-type': 'application/json', ...headers };
  const answer = await service.server.inject({ method, url: `/api/v1${url}`, headers: all, payload });
  return [answer.statusCode, answer.json().code];
}
const posts = async (userId = ada.id) =>
  (await service.app.db.selectFrom('post_groups').select('content').where('user_id', '=', userId).execute()).length;
const later = (seconds = 2) => clock.advance({ seconds });

const endings: [how: string, refusal: [number, string], end: () => Promise<unknown>][] = [
  ['revoked', [401, 'INVALID_API_KEY'], () => revokeApiKey(service.app, ada.id, keyId, systemActor)],
  [
    'expired',
    [401, 'INVALID_API_KEY'],
    () => changeApiKey(service.app, ada.id, keyId, { expiresAt: soon() }, systemActor),
  ],
  [
    'limited to other scopes',
    [403, 'INSUFFICIENT_SCOPE'],
    () => changeApiKey(service.app, ada.id, keyId, { scopes: ['read'] }, systemActor),
  ],
  [
    'limited to other addresses',
    [403, 'ADDRESS_NOT_ALLOWED'],
    () => changeApiKey(service.app, ada.id, keyId, { allowedAddresses: ['192.0.2.9'] }, systemActor),
  ],
  [
    'switched off with all of the API',
    [403, 'API_ACCESS_DISABLED'],
    () => setAccess(service.app, ada.id, { api: false }),
  ],
  ['of a deactivated user', [401, 'INVALID_API_KEY_OWNER'], () => deactivateUser(service.app, ada.id)],
];
const soon = () => new Date(clock.now().getTime() + 1_000);

describe('a body that took long to arrive is refused', () => {
  test.each(endings)('if the key is %s meanwhile', async (_, refusal, end) => {
    const answer = await sendSlowly('/create-post', { content: 'Late', platforms: [connection] }, async () => {
      await end();
      later();
    });
    expect([answer, await posts()]).toEqual([refusal, 0]);
  });

  test.each<[how: string, refusal: [number, string], end: () => Promise<unknown>]>([
    ['ends', [401, 'SESSION_REQUIRED'], () => endSessions(service.app, service.app.db, ada.id, null, systemActor)],
    [
      'is of a user put on hold',
      [403, 'ACCOUNT_ON_HOLD'],
      () => holdUser(service.app, ada.id, { reason: 'spam', until: null }),
    ],
  ])('if the session %s meanwhile', async (_, refusal, end) => {
    const headers = await signedIn(service, ada);
    const meanwhile = async () => {
      await end();
      later();
    };
    const post = { content: 'Late', platforms: [connection] };
    expect(await sendSlowly('/create-post', post, meanwhile, { headers })).toEqual(refusal);
    expect(await posts()).toBe(0);
  });

  test('by a route that only a session opens', async () => {
    const headers = await signedIn(service, ada);
    const meanwhile = async () => {
      await endSessions(service.app, service.app.db, ada.id, null, systemActor);
      later();
    };
    const answer = await sendSlowly('/auth/profile', { name: 'A thief' }, meanwhile, { headers, method: 'PATCH' });
    expect(answer).toEqual([401, 'SESSION_REQUIRED']);
  });

  test('if the membership of the user whom it acts for ends meanwhile', async () => {
    await setAccess(service.app, ada.id, { workspace: true });
    const { body } = await ada.call('POST', '/workspace/users', { username: `${ada.id}@client.example` });
    const memberId: string = body.user._id;
    const post = { content: 'Late', platforms: ['playground'] };
    const headers = { ...keyOf(ada), 'x-service-user-id': memberId };
    const meanwhile = async () => {
      await ada.call('DELETE', `/workspace/users/${memberId}`);
      later();
    };
    expect(await sendSlowly('/create-post', post, meanwhile, { headers })).toEqual([403, 'USER_NOT_MANAGED']);
  });
});

test('a body that arrives at its own pace is accepted while the credential works', async () => {
  const wait = async () => void later(60);
  const body = { content: 'Slow', platforms: [connection] };
  expect((await sendSlowly('/create-post', body, wait))[0]).toBe(200);
  expect((await sendSlowly('/create-post', body, wait, { headers: await signedIn(service, ada) }))[0]).toBe(200);
  expect(await posts()).toBe(2);
});

describe('files that took long to fetch are not stored', () => {
  const address = () => `http://${web.place}/a.png`;
  const storedMedia = async () =>
    (await service.app.db.selectFrom('media').select('id').where('user_id', '=', ada.id).execute()).length;

  test.each(endings)('with a new post if the key is %s meanwhile', async (_, [status], end) => {
    const sent = ada.call('POST', '/create-post', { content: 'Late', platforms: [connection], mediaUrls: [address()] });
    await web.whileItAnswers(async () => {
      await end();
      later();
    });
    expect([(await sent).status, await posts(), await storedMedia()]).toEqual([status, 0, 0]);
  });

  test.each(['update-post', 'attach-media'])('by %s', async (route) => {
    const { body } = await ada.call('POST', '/create-post', { content: 'Early', platforms: [connection] });
    const request =
      route === 'update-post'
        ? { mediaUrls: [address()] }
        : { file: { download_url: address(), file_id: 'file-1' }, fileName: 'a.png' };
    const method = route === 'update-post' ? 'PUT' : 'POST';
    const sent = ada.call(method, `/${route}/${body.postGroupId}`, request);
    await web.whileItAnswers(async () => {
      await revokeApiKey(service.app, ada.id, keyId, systemActor);
      later();
    });
    expect([(await sent).status, await storedMedia()]).toEqual([401, 0]);
  });

  test('by a session that ended meanwhile', async () => {
    const headers = await signedIn(service, ada);
    const payload = { content: 'Late', platforms: [connection], mediaUrls: [address()] };
    const sent = service.server.inject({ method: 'POST', url: '/api/v1/create-post', headers, payload });
    const answered = sent.then(({ statusCode }) => statusCode);
    await web.whileItAnswers(async () => {
      await endSessions(service.app, service.app.db, ada.id, null, systemActor);
      later();
    });
    expect([await answered, await posts()]).toEqual([401, 0]);
  });
});

test('an import stops at the row before which its key was revoked, and reports the rest', async () => {
  const row = (idempotencyKey: string, more: object = {}) => ({
    idempotencyKey,
    content: `Post ${idempotencyKey}`,
    platforms: [connection],
    ...more,
  });
  web.closeAgain(4);
  const slow = { mediaUrls: [`http://${web.place}/a.png`] };
  const names = Array.from({ length: 10 }, (_, index) => `${index}`);
  const sent = ada.call('POST', '/import', { posts: names.map((name, index) => row(name, index < 4 ? slow : {})) });
  await web.whileItAnswers(async () => {
    await revokeApiKey(service.app, ada.id, keyId, systemActor);
    later();
  });
  const { status, body } = await sent;
  expect([status, body.succeeded, body.failed, await posts()]).toEqual([200, 0, 10, 0]);
  expect(body.results[9]).toMatchObject({
    idempotencyKey: '9',
    status: 401,
    response: {
      code: 'INVALID_API_KEY',
      message: 'The access of this call ended while it ran. This post was not created.',
    },
  });
});

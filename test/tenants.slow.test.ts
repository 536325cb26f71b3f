import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { type TemporaryFolder, temporaryFolder } from './support/database/temporary-server.ts';
import { dereference } from './support/documents/dereference.ts';
import { eventually } from './support/eventually.ts';
import { anImage, aVideo, type TestFile } from './support/files/media.ts';
import { testClock } from './support/service/app.ts';
import { aForm, injectForm } from './support/service/inject-form.ts';
import { type Answer, type TestService, type TestUser, testService } from './support/service/service.ts';

/** Two workspaces. With any of Ada's ids, Eve learns and changes no more than with an id that does not exist. */

const clock = testClock();
const soon = '2027-03-05T08:00:00.000Z';
let folder: TemporaryFolder;
let image: TestFile;
let service: TestService;
let ada: Tenant;
let eve: Tenant;
/** The ids behind the names below, once they exist. */
let names: Record<
  | 'group'
  | 'managedGroup'
  | 'apiKey'
  | 'session'
  | 'passkey'
  | 'user'
  | 'managedUser'
  | 'connection'
  | 'channel'
  | 'member'
  | 'media'
  | 'thumbnail'
  | 'webhook'
  | 'delivery'
  | 'draft'
  | 'loggedCall',
  string
>;

beforeAll(async () => {
  [folder, image] = [await temporaryFolder(), await anImage()];
  service = await testService({ clock, environment: { DATA_DIR: folder.path } });
  [ada, eve] = [await aTenant(), await aTenant()];
  names = {
    group: ada.group,
    managedGroup: ada.managed.group,
    apiKey: ada.apiKeyId,
    session: ada.sessionId,
    passkey: ada.passkey,
    user: ada.id,
    managedUser: ada.managed.id,
    connection: ada.connection,
    channel: ada.channel,
    member: ada.member,
    media: ada.media,
    thumbnail: ada.thumbnail,
    webhook: ada.webhook,
    delivery: ada.delivery,
    draft: ada.draft,
    loggedCall: ada.loggedCall,
  };
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

interface Tenant extends TestUser {
  accessToken: string;
  apiKeyId: string;
  sessionId: string;
  passkey: string;
  connection: string;
  channel: string;
  /** On LinkedIn. */
  member: string;
  group: string;
  media: string;
  /** Of `group`. */
  thumbnail: string;
  webhook: string;
  delivery: string;
  draft: string;
  /** In the request log. */
  loggedCall: string;
  managed: { id: string; apiKey: string; connection: string; group: string };
}

async function aTenant(): Promise<Tenant> {
  const user = await service.aUser({ plan: 'pro' });
  await setAccess(service.app, user.id, { workspace: true });
  const [connection, channel] = [await user.aConnection('bluesky'), await user.aConnection('youtube')];
  const member = await user.aConnection('linkedin');
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const { accessToken } = (await user.call('POST', '/auth/signin', { email, password: 'long enough' })).body;
  const session = { authorization: `Bearer ${accessToken}` };
  const apiKeyId = (await user.call('GET', '/auth/api-keys', undefined, session)).body.apiKeys[0]._id;
  const sessionId = (await user.call('GET', '/auth/sessions', undefined, session)).body.sessions[0]._id;
  const passkey = service.app.newId();
  await sql`insert into auth_passkeys (id, user_id, name, credential_id, public_key, counter, device_type, backed_up)
    values (${passkey}, ${user.id}, 'Phone', ${passkey}, 'none', 0, 'singleDevice', false)`.execute(service.app.db);

  const begun = service.app.newId();
  await user.call('PUT', `/dashboard/drafts/${begun}`, { version: 0, draft: { text: 'Begun' } }, session);

  const made = await eventually(async () => {
    const answer = await user.call('POST', '/workspace/users', { username: `client-of-${user.id}@example.com` });
    expect(answer.status).toBe(201);
    return answer;
  });
  const managedId: string = made.body.user._id;
  const { apiKey } = (await user.call('POST', `/workspace/users/${managedId}/api-key`)).body;
  await user.call('POST', `/workspace/users/${managedId}/connection-url`);
  const accountId = `of${managedId}`;
  await sql`insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
    values (${service.app.newId()}, ${managedId}, 'telegram', ${accountId}, 'h', 'd', 'none')`.execute(service.app.db);

  const scheduled = (platforms: string[]) => ({ content: `Of ${user.id}`, platforms, scheduledTime: soon });
  const group = await user.call('POST', '/create-post', scheduled([connection]));
  const acting = { 'x-service-user-id': managedId };
  const managedGroup = await user.call('POST', '/create-post', scheduled([`telegram-${accountId}`]), acting);
  expect([group.status, managedGroup.status]).toEqual([200, 200]);
  const draft = await user.call('POST', '/create-post', { content: 'With a file', platforms: [connection] });
  const file = { postGroupId: draft.body.postGroupId, fileName: 'a.png', contentType: 'image/png' };
  const upload = await user.call('POST', '/get-upload-url', file);
  const form = aForm({ postGroupId: group.body.postGroupId }, 'thumbnail', image.bytes);
  const key = { 'x-service-key': user.apiKey };
  const thumbnail = await injectForm(service.server, '/upload-youtube-thumbnail', form, key);
  const hook = { name: 'Mine', url: 'https://hooks.example.com', events: ['post.failed'] };
  const webhook = (await user.call('POST', '/webhooks', hook)).body.webhook._id;
  const { deliveryId } = (await user.call('POST', `/webhooks/${webhook}/test`)).body;
  const logged = await user.call('GET', '/dashboard/requests', undefined, session);
  return {
    ...user,
    loggedCall: logged.body.requests[0]._id,
    webhook,
    delivery: deliveryId,
    draft: begun,
    accessToken,
    apiKeyId,
    sessionId,
    passkey,
    connection,
    channel,
    member,
    group: group.body.postGroupId,
    media: upload.body.mediaId,
    thumbnail: thumbnail.body.thumbnail.mediaId,
    managed: {
      id: managedId,
      apiKey,
      connection: `telegram-${accountId}`,
      group: managedGroup.body.postGroupId,
    },
  };
}

/** Everything stored about a tenant and the user it manages. */
async function everythingOf({ id, managed }: Tenant) {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and (column_name in ('user_id', 'owner_id') or (table_name = 'users' and column_name = 'id'))
      -- Written a second after the tenant's own calls.
      and table_name not like 'request_log%'
    order by 1`.execute(service.app.db);
  const entries = columns.map(async ({ table, column }) => {
    const { rows } = await sql`
      select to_jsonb(row) as row from ${sql.table(table)} row
      where ${sql.ref(`row.${column}`)} in (${id}, ${managed.id}) order by to_jsonb(row)::text`.execute(service.app.db);
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

type Name = keyof typeof names;
interface Case {
  /** Of Ada's. */
  ids: Name[];
  body?: object;
  as?: 'session';
}

const upload = (postGroupId: string) => ({ fileName: 'a.png', contentType: 'image/png', postGroupId });

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Every route that has an id in its path. */
const paths: Record<string, Case | null> = {
  'PUT /update-post/{postGroupId}': { ids: ['group', 'managedGroup'], body: { content: 'By Eve' } },
  'GET /get-post/{postGroupId}': { ids: ['group', 'managedGroup'] },
  'GET /dashboard/posts/{postGroupId}': { ids: ['group', 'managedGroup'] },
  'GET /post-logs/{postGroupId}': { ids: ['group', 'managedGroup'] },
  'POST /retry-post/{postGroupId}': { ids: ['group', 'managedGroup'] },
  'DELETE /delete-post/{postGroupId}': { ids: ['group', 'managedGroup'] },
  'POST /attach-media/{postGroupId}': {
    ids: ['group', 'managedGroup'],
    body: { file: { download_url: 'https://files.example.com/a.png', file_id: '1' } },
  },
  'POST /complete-media/{mediaFileId}': { ids: ['media'] },
  // A name that every user has separately: covered by the tests of labels.
  'PATCH /labels/{label}': null,
  'PATCH /media/{mediaId}': { ids: ['media'], body: { altText: 'By Eve' } },
  'DELETE /media/{mediaId}': { ids: ['media'] },
  'DELETE /post/{postGroupId}/media/{mediaId}': { ids: ['group', 'managedGroup'] },
  'POST /post/{postGroupId}/media': { ids: ['group', 'managedGroup'], body: { mediaIds: ['a'.repeat(24)] } },
  'PUT /post/{postGroupId}/media-order': { ids: ['group'], body: { mediaIds: [] }, as: 'session' },
  // No caller is rejected there; the tests of the route check who receives what.
  'GET /processing-progress/{sessionId}': null,
  'PATCH /webhooks/{webhookId}': { ids: ['webhook'], body: { name: 'By Eve' } },
  'DELETE /webhooks/{webhookId}': { ids: ['webhook'] },
  'POST /webhooks/{webhookId}/regenerate-secret': { ids: ['webhook'] },
  'GET /webhooks/{webhookId}/deliveries': { ids: ['webhook'] },
  'POST /webhooks/{webhookId}/test': { ids: ['webhook'] },
  'POST /webhooks/deliveries/{deliveryId}/resend': { ids: ['delivery'] },
  'PATCH /dashboard/webhooks/{webhookId}': { ids: ['webhook'], body: { name: 'By Eve' }, as: 'session' },
  // Names of networks, and ids whose spelling matters: covered by the tests of connecting.
  'POST /connect/{platform}': null,
  'POST /connect-sandbox/{platform}': null,
  'GET /connect/choices/{choiceId}': null,
  'POST /connect/choices/{choiceId}': null,
  'POST /test-connection/{platformId}': null,
  'DELETE /connections/{platformId}': null,
  'GET /connections/{platformId}/avatar': null,
  'PATCH /auth/api-keys/{keyId}': { ids: ['apiKey'], body: { name: 'By Eve' }, as: 'session' },
  'DELETE /auth/api-keys/{keyId}': { ids: ['apiKey'], as: 'session' },
  'DELETE /auth/sessions/{sessionId}': { ids: ['session'], as: 'session' },
  'PATCH /auth/passkeys/{passkeyId}': { ids: ['passkey'], body: { name: 'By Eve' }, as: 'session' },
  'DELETE /auth/passkeys/{passkeyId}': { ids: ['passkey'], as: 'session' },
  'GET /dashboard/requests/{callId}': { ids: ['loggedCall'], as: 'session' },
  'GET /dashboard/drafts/{draftId}': { ids: ['draft'], as: 'session' },
  // Eve chooses the ids of her own drafts: covered by the tests of drafts.
  'PUT /dashboard/drafts/{draftId}': null,
  'DELETE /dashboard/drafts/{draftId}': { ids: ['draft'], as: 'session' },
  'DELETE /workspace/users/{userId}': { ids: ['managedUser', 'user'] },
  'PATCH /workspace/users/{userId}': { ids: ['managedUser', 'user'], body: { displayName: 'Stolen' } },
  'POST /workspace/users/{userId}/api-key': { ids: ['managedUser', 'user'] },
  'POST /workspace/users/{userId}/connection-url': { ids: ['managedUser', 'user'], body: { rotate: true } },
  'DELETE /workspace/users/{userId}/connection-url': { ids: ['managedUser', 'user'] },
  'GET /workspace/users/{userId}/avatar': { ids: ['managedUser', 'user'] },
  'PUT /workspace/users/{userId}/avatar': { ids: ['managedUser', 'user'], body: { image: onePixel } },
  'DELETE /workspace/users/{userId}/avatar': { ids: ['managedUser', 'user'] },
};

const post = (platforms: string[], more: object = {}) => ({
  content: 'By Eve',
  platforms,
  scheduledTime: soon,
  ...more,
});
const playlistOf = (platformId: string) => ({ platformSettings: { youtube: { playlist: { id: 'p', platformId } } } });

interface Field {
  id: Name;
  body?: (id: string) => object;
  /** For routes that take a form. */
  form?: (id: string) => FormData;
  as?: 'session';
  /** Default: 400. */
  status?: number;
}

const formWith = (file: string, bytes: () => Uint8Array) => (postGroupId: string) =>
  aForm({ postGroupId }, file, bytes());

const postedId = 'urn:li:share:1';
const linkedinBodies: Record<string, object> = {
  'POST /linkedin-comments': { postedId, message: 'By Eve' },
  'DELETE /linkedin-comments': { postedId, commentId: '1' },
  'POST /linkedin-reactions': { postedId, reactionType: 'LIKE' },
  'DELETE /linkedin-reactions': { postedId },
  'POST /linkedin-reshare': { parent: postedId },
  'POST /linkedin-followers': {},
  'POST /linkedin-profile-summary': {},
  'POST /linkedin-post-statistics': { postedId, queryType: 'COMMENT' },
  'POST /linkedin-account-statistics': { queryType: 'COMMENT' },
};

/** Each post has its own result. */
const anImport = (body: object) => ({ posts: [{ ...body, idempotencyKey: 'by-eve' }] });
const fieldOf = (route: string, name: string) => `${route}${route.endsWith('.') ? '' : ' '}${name}`;
const newPosts = ['POST /create-post', 'POST /validate-post', 'PUT /update-post/{postGroupId}', 'POST /import posts.'];

/** Every body field that contains an id; null if the id is not Crier's. */
const fields: Record<string, Field | null> = {
  'POST /create-post platforms': { id: 'connection', body: (id) => post([id]) },
  'POST /validate-post platforms': { id: 'connection', body: (id) => post([id]) },
  'POST /import posts.platforms': { id: 'connection', body: (id) => anImport(post([id])), status: 200 },
  'POST /import posts.platformSettings.youtube.playlist.platformId': {
    id: 'channel',
    body: (id) => anImport(post([eve.channel], playlistOf(id))),
    status: 200,
  },
  'PUT /update-post/{postGroupId} platforms': { id: 'connection', body: (id) => ({ platforms: [id] }) },
  'POST /create-post platformSettings.youtube.playlist.platformId': {
    id: 'channel',
    body: (id) => post([eve.channel], playlistOf(id)),
  },
  'POST /validate-post platformSettings.youtube.playlist.platformId': {
    id: 'channel',
    body: (id) => post([eve.channel], playlistOf(id)),
  },
  'PUT /update-post/{postGroupId} platformSettings.youtube.playlist.platformId': {
    id: 'channel',
    body: (id) => ({ platforms: [eve.channel], ...playlistOf(id) }),
  },
  'PUT /posting-slots slots.platformId': {
    id: 'connection',
    body: (platformId) => ({ timeZone: 'UTC', slots: [{ weekday: 1, time: '09:00', platformId }] }),
  },
  'POST /get-upload-url postGroupId': { id: 'group', body: upload, status: 404 },
  'POST /media/generate-upload-url postGroupId': { id: 'group', body: upload, status: 404, as: 'session' },
  'POST /upload-youtube-thumbnail postGroupId': {
    id: 'group',
    form: formWith('thumbnail', () => image.bytes),
    status: 404,
  },
  'POST /upload-instagram-cover postGroupId': {
    id: 'group',
    form: formWith('cover', () => image.bytes),
    status: 404,
  },
  'POST /process-video postGroupId': { id: 'group', form: formWith('video', () => aVideo().bytes), status: 404 },
  ...Object.fromEntries(
    Object.entries(linkedinBodies).map(([route, body]) => [
      `${route} platformId`,
      { id: 'member', body: (platformId: string) => ({ ...body, platformId }), status: 404 } as const,
    ]),
  ),
  ...Object.fromEntries(
    // Ids issued by LinkedIn.
    Object.entries(linkedinBodies).flatMap(([route, body]) =>
      ['postedId', 'commentId'].filter((name) => name in body).map((name) => [`${route} ${name}`, null]),
    ),
  ),
  // Chosen by the authenticator; the tests of passkeys send those of other users.
  ...Object.fromEntries(
    ['POST /auth/passkeys', 'POST /auth/passkeys/sign-in'].flatMap((route) => [
      [`${route} response.id`, null],
      [`${route} response.rawId`, null],
    ]),
  ),
  ...Object.fromEntries(
    ['POST /auth/export', 'POST /auth/deletion'].flatMap((route) => [
      [`${route} passkey.id`, null],
      [`${route} passkey.rawId`, null],
    ]),
  ),
  // Chosen by the sender, and separate for each user.
  'POST /process-video sessionId': null,
  // Missing posts are part of the response: covered by the tests of statistics.
  'POST /post-statistics posts.platformId': null,
  'POST /post-statistics posts.postedId': null,
  'POST /profile-statistics platformId': null,
  // The contract defines specific responses for this one; see below.
  'POST /workspace/users/attach userId': null,
  ...Object.fromEntries(
    newPosts.flatMap((route) => [
      // Ids issued by YouTube, and names of networks.
      [fieldOf(route, 'platformSettings.youtube.categoryId'), null],
      [fieldOf(route, 'platformSettings.youtube.playlist.id'), null],
      [fieldOf(route, 'firstComment.platforms'), null],
      [fieldOf(route, 'firstComments.platforms'), null],
    ]),
  ),
  'PUT /update-post/{postGroupId} platformSettings.youtube.thumbnail.mediaId': {
    id: 'thumbnail',
    body: (mediaId) => ({ platforms: [eve.channel], platformSettings: { youtube: { thumbnail: { mediaId } } } }),
  },
  'PUT /update-post/{postGroupId} platformSettings.youtube.thumbnail.id': null,
};

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: Record<string, unknown>[];
}

async function operations(): Promise<[route: string, operation: Operation][]> {
  const document: object = await service.server.openapi('all');
  const { paths } = dereference(document) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

const isId = (name: string) => /^(.*[a-z])?id$/i.test(name) && /(^id|Id|_id)$/.test(name);

/** The dotted names of all fields that look like ids. */
function idFields(schema: Schema, prefix = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    ...(isId(name) || name === 'platforms' ? [`${prefix}${name}`] : []),
    ...idFields(inner, `${prefix}${name}.`),
  ]);
  const inner = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...new Set([...own, ...inner.flatMap((each) => idFields(each, prefix))])];
}

/** An id of the same form that does not exist. */
const unknownLike = (id: string) => (id.includes('-') ? `${id.split('-')[0]}-99999999` : 'f'.repeat(24));

const asCall = (route: string, id = '') => {
  const [method = '', path = ''] = route.split(' ');
  return [method as 'GET', path.replace(/\{\w+\}/g, id)] as const;
};
const session = () => ({ authorization: `Bearer ${eve.accessToken}` });
/** Without the id itself, which a response may repeat. */
const seen = ({ status, body }: Answer, id: string) => [status, JSON.stringify(body).replaceAll(id, '<id>')];

describe('two tenants', () => {
  test('every route with an id in its path is in the matrix', async () => {
    const routes = (await operations()).filter(([route]) => route.includes('{'));
    expect(routes.map(([route]) => route).sort()).toEqual(Object.keys(paths).sort());
  });

  test('every field of a body, and every parameter, that is an id is in the matrix', async () => {
    const found = (await operations()).flatMap(([route, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        idFields(schema).map((field) => `${route} ${field}`),
      ),
    );
    expect(found.sort()).toEqual(Object.keys(fields).sort());
    const parameters = (await operations()).flatMap(([, operation]) => operation.parameters ?? []);
    const others = parameters.filter((parameter) => parameter.in !== 'path' && /id$/i.test(parameter.name));
    // LinkedIn's may be in the body instead, where the matrix covers them. The one of validate-post is covered by its
    // tests. last-event-id is a position in the caller's own events: covered by the tests of the event stream. userId
    // is of avatars: covered by the tests of brands.
    const names = [
      'x-service-user-id',
      'postedId',
      'commentId',
      'platformId',
      'postGroupId',
      'last-event-id',
      'userId',
    ];
    expect(new Set(others.map(({ name }) => name))).toEqual(new Set(names));
  });

  test('each has something to lose, and can reach it', async () => {
    const stored = await everythingOf(ada);
    const tables = Object.entries(stored).filter(([, rows]) => rows.length > 0);
    expect(tables.map(([table]) => table)).toEqual(
      expect.arrayContaining(['api_keys', 'connection_links', 'connections', 'platform_posts', 'post_groups', 'users']),
    );
    for (const { call, group, managed } of [ada, eve]) {
      expect((await call('GET', `/get-post/${group}`)).status).toBe(200);
      const acting = { 'x-service-user-id': managed.id };
      expect((await call('GET', `/get-post/${managed.group}`, undefined, acting)).status).toBe(200);
    }
  });

  const withIds = Object.entries(paths).flatMap(([name, route]) => (route ? [[name, route] as const] : []));
  describe.each(withIds)('%s', (route, { ids, body, as }) => {
    const headers = () => (as === 'session' ? session() : {});

    test.each(ids)("answers to another's %s as to one that nobody has, and changes nothing", async (name) => {
      const before = await everythingOf(ada);
      const id = names[name];
      const unknown = unknownLike(id);
      const answer = await eve.call(...asCall(route, id), body, headers());
      expect(answer.status).toBe(404);
      expect(seen(answer, id)).toEqual(seen(await eve.call(...asCall(route, unknown), body, headers()), unknown));
      const shouted = id.toUpperCase();
      expect(seen(await eve.call(...asCall(route, shouted), body, headers()), shouted)).toEqual(seen(answer, id));
      expect(await everythingOf(ada)).toEqual(before);
    });

    test.each(ids)("answers to another's %s no better on behalf of a managed user, or with its key", async (name) => {
      const before = await everythingOf(ada);
      const id = names[name];
      const unknown = unknownLike(id);
      const ways: Record<string, string>[] = [
        { 'x-service-user-id': eve.managed.id },
        { 'x-service-key': eve.managed.apiKey },
      ];
      for (const way of ways) {
        const all = { ...headers(), ...way };
        const answer = await eve.call(...asCall(route, id), body, all);
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(seen(answer, id)).toEqual(seen(await eve.call(...asCall(route, unknown), body, all), unknown));
      }
      expect(await everythingOf(ada)).toEqual(before);
    });
  });

  const ours = Object.entries(fields).flatMap(([name, field]) => (field ? [[name, field] as const] : []));
  test.each(ours)("%s: another's is as unknown as one that nobody has", async (name, field) => {
    const before = [await everythingOf(ada), await everythingOf(eve)];
    const id = names[field.id];
    const unknown = unknownLike(id);
    const call = asCall(name, eve.group);
    const headers = field.as === 'session' ? session() : { 'x-service-key': eve.apiKey };
    const send = (named: string) =>
      field.form
        ? injectForm(service.server, call[1], field.form(named), headers)
        : eve.call(...call, field.body?.(named), headers);
    const answer = await send(id);
    expect(answer.status).toBe(field.status ?? 400);
    expect(seen(answer, id)).toEqual(seen(await send(unknown), unknown));
    expect([await everythingOf(ada), await everythingOf(eve)]).toEqual(before);
  });

  test("x-service-user-id: another's user is as unknown as one that nobody has, on every route behind a key", async () => {
    const before = await everythingOf(ada);
    const keyed = (await operations()).filter(([, { security }]) => security?.some((scheme) => 'apiKey' in scheme));
    expect(keyed.length).toBeGreaterThan(10);
    for (const [route] of keyed) {
      const call = asCall(route, eve.group);
      const answers = await Promise.all(
        [ada.managed.id, ada.id, 'f'.repeat(24)].map((id) =>
          eve.call(...call, route.startsWith('GET') ? undefined : {}, { 'x-service-user-id': id }),
        ),
      );
      for (const { status, body } of answers) {
        expect([route, status, body]).toEqual([route, 403, { error: 'User is not managed by key' }]);
      }
    }
    expect(await everythingOf(ada)).toEqual(before);
  });

  test("POST /workspace/users/attach: another's users stay theirs, whatever proof there is", async () => {
    const before = await everythingOf(ada);
    const attach = (body: object) => eve.call('POST', '/workspace/users/attach', body);
    for (const proof of [{}, { userAccessToken: eve.accessToken }, { userAccessToken: 'f'.repeat(32) }]) {
      for (const userId of [ada.id, ada.managed.id]) {
        const { status, body } = await attach({ userId, ...proof });
        expect([403, 409]).toContain(status);
        expect(Object.keys(body).sort()).toEqual(['code', 'error']);
      }
    }
    expect(await everythingOf(ada)).toEqual(before);
  });

  test('lists have nothing of the other', async () => {
    const adas = [...Object.values(names), ada.managed.connection, ada.managed.group];
    for (const path of [
      '/list-posts?limit=100',
      '/media?limit=100',
      '/workspace/users',
      '/account-context',
      '/auth/api-keys',
    ]) {
      for (const userId of [eve.id, eve.managed.id]) {
        const headers = { ...session(), 'x-service-user-id': userId };
        const { status, body } = await eve.call('GET', path, undefined, headers);
        expect([path, status]).toEqual([path, 200]);
        const text = JSON.stringify(body);
        expect(adas.filter((id) => text.includes(id))).toEqual([]);
      }
    }
  });

  test('lists of all brands have nothing of another workspace', async () => {
    const adas = [...Object.values(names), ada.managed.connection, ada.managed.group];
    for (const path of ['/list-posts?brands=all', '/platform-connections?brands=all']) {
      const { status, body } = await eve.call('GET', path);
      expect([path, status]).toEqual([path, 200]);
      const text = JSON.stringify(body);
      expect(text).toContain(eve.managed.id);
      expect(adas.filter((id) => text.includes(id))).toEqual([]);
    }
  });

  test('within a workspace, owner and managed user each have posts of their own', async () => {
    const asManaged = { 'x-service-key': ada.managed.apiKey };
    const notFound = [404, { error: 'Post group not found' }];
    const read = async (id: string, headers = {}) => {
      const { status, body } = await ada.call('GET', `/get-post/${id}`, undefined, headers);
      return [status, body];
    };
    expect(await read(ada.group, asManaged)).toEqual(notFound);
    expect(await read(ada.group, { 'x-service-user-id': ada.managed.id })).toEqual(notFound);
    expect(await read(ada.managed.group)).toEqual(notFound);
    expect((await read(ada.managed.group, asManaged))[0]).toBe(200);
    const { status, body } = await ada.call('POST', '/create-post', post([ada.connection]), asManaged);
    expect([status, body.code]).toEqual([400, 'INVALID_PLATFORM_CONNECTION']);
  });

  test("one tenant's Idempotency-Key means nothing to the other", async () => {
    const headers = { 'idempotency-key': 'the-same' };
    const body = { content: 'To the playground', platforms: ['service-playground'] };
    const [hers, his] = [
      await ada.call('POST', '/create-post', body, headers),
      await eve.call('POST', '/create-post', { ...body, content: 'Another text' }, headers),
    ];
    expect([hers.status, his.status]).toEqual([200, 200]);
    expect(his.body.postGroupId).not.toBe(hers.body.postGroupId);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { contentOf } from '../src/features/mail/content.ts';
import type { AddedAccess } from '../src/features/mail/mails.ts';
import { type DescribedService, describedService, prefix } from './support/documents/described-service.ts';
import { signedIn } from './support/service/media-service.ts';
import { queuedMails } from './support/service/queued-mail.ts';
import type { TestUser } from './support/service/service.ts';

/**
 * A thief of a session could make access that outlives it, or lead elsewhere what a webhook receives. So its owner gets
 * a mail, whichever of the routes is used. An API key sends none: its holder has access anyway.
 */

let service: DescribedService;
beforeAll(async () => {
  service = await describedService({});
});
afterAll(() => service.close());

type Method = 'POST' | 'PATCH';
/** What exists before the call. */
interface Stage {
  hook: string;
  key: string;
  managed: string;
}
interface Way {
  what: AddedAccess;
  name: string;
  body?: object;
}

const receiver = { name: 'Mirror', url: 'https://mirror.example.com/', events: ['post.published'] };
const elsewhere = { url: 'https://elsewhere.example.com/' };

/** Every route that makes or redirects access with the mail `access_added`. */
const mailed: Record<string, Way> = {
  'POST /auth/api-keys': { what: 'API key', name: 'Backup', body: { name: 'Backup' } },
  'PATCH /auth/api-keys/{keyId}': { what: 'wider API key', name: 'Limited', body: { scopes: ['read', 'write'] } },
  'POST /auth/generate-api-key': { what: 'API key', name: 'Current key' },
  'POST /webhooks': { what: 'webhook', name: 'Mirror', body: receiver },
  'PATCH /webhooks/{webhookId}': { what: 'webhook address', name: 'Own', body: elsewhere },
  'POST /webhooks/{webhookId}/regenerate-secret': { what: 'webhook secret', name: 'Own' },
  'POST /dashboard/webhooks': { what: 'webhook', name: 'Mirror', body: receiver },
  'PATCH /dashboard/webhooks/{webhookId}': { what: 'webhook address', name: 'Own', body: elsewhere },
  'POST /workspace/users/{userId}/api-key': { what: 'managed key', name: 'client-of-{id}@example.com' },
  'POST /workspace/users/{userId}/connection-url': { what: 'connection link', name: 'client-of-{id}@example.com' },
};

/** The other routes that take a session and may change something, by the reason why they do not send this mail. */
const notMailed: Record<string, string[]> = {
  'sends another mail, which its own tests expect': [
    'DELETE /auth/deletion',
    'POST /auth/deletion',
    'POST /auth/email/change',
    'POST /auth/export',
    'POST /auth/passkeys',
    'POST /auth/password/change',
    'POST /auth/two-factor/confirm',
    'POST /auth/two-factor/disable',
    'POST /auth/two-factor/recovery-codes',
    'POST /workspace/users/attach',
  ],
  'only begins what ends with a mail': [
    'POST /auth/attach-token',
    'POST /auth/passkeys/options',
    'POST /auth/two-factor/start',
  ],
  'makes a user for whom nobody can act yet: a key and a link are mailed': [
    'POST /auth/workspace',
    'POST /workspace/users',
  ],
  'ends access, or takes something away': [
    'DELETE /auth/api-keys/{keyId}',
    'DELETE /auth/passkeys/{passkeyId}',
    'DELETE /auth/sessions',
    'DELETE /auth/sessions/{sessionId}',
    'DELETE /connections/{platformId}',
    'DELETE /webhooks/{webhookId}',
    'DELETE /workspace/users/{userId}',
    'DELETE /workspace/users/{userId}/avatar',
    'DELETE /workspace/users/{userId}/connection-url',
    'POST /auth/leave-workspace',
  ],
  'gives Crier access to an account on a network, and nobody access to Crier': [
    'POST /connect-sandbox/{platform}',
    'POST /connect/choices/{choiceId}',
    'POST /connect/{platform}',
  ],
  'sends only to a receiver that exists': [
    'POST /webhooks/deliveries/{deliveryId}/resend',
    'POST /webhooks/trigger',
    'POST /webhooks/{webhookId}/test',
  ],
  'changes posts, files, drafts, names or what is logged, which give no access, or asks a network': [
    'DELETE /dashboard/drafts/{draftId}',
    'DELETE /dashboard/requests/bodies',
    'DELETE /delete-post/{postGroupId}',
    'DELETE /linkedin-comments',
    'DELETE /linkedin-reactions',
    'DELETE /media/{mediaId}',
    'DELETE /post/{postGroupId}/media/{mediaId}',
    'PATCH /auth/passkeys/{passkeyId}',
    'PATCH /auth/profile',
    'PATCH /labels/{label}',
    'PATCH /media/{mediaId}',
    'PATCH /workspace/users/{userId}',
    'POST /attach-media/{postGroupId}',
    'POST /complete-media/{mediaFileId}',
    'POST /create-post',
    'POST /delete-posts',
    'POST /get-upload-url',
    'POST /import',
    'POST /linkedin-account-statistics',
    'POST /linkedin-comments',
    'POST /linkedin-followers',
    'POST /linkedin-post-statistics',
    'POST /linkedin-profile-summary',
    'POST /linkedin-reactions',
    'POST /linkedin-reshare',
    'POST /media',
    'POST /media/generate-upload-url',
    'POST /post-statistics',
    'POST /post/{postGroupId}/media',
    'POST /process-video',
    'POST /profile-statistics',
    'POST /reschedule-posts',
    'POST /retry-post/{postGroupId}',
    'POST /test-connection/{platformId}',
    'POST /upload-instagram-cover',
    'POST /upload-youtube-thumbnail',
    'POST /validate-post',
    'PUT /dashboard/drafts/{draftId}',
    'PUT /dashboard/requests/bodies',
    'PUT /post/{postGroupId}/media-order',
    'PUT /posting-slots',
    'PUT /update-post/{postGroupId}',
    'PUT /workspace/users/{userId}/avatar',
  ],
};

/** The same for routes outside the API. */
const outside: Record<string, string[]> = {
  'sends the mail about an application, which its own test expects': ['POST /authorize'],
  'exchanges an approval that was mailed': ['POST /token'],
  'takes no session, but a key, the token of a link, or nothing': [
    'DELETE /',
    'DELETE /mcp',
    'OPTIONS *',
    'OPTIONS /media/upload/*',
    'POST /',
    'POST /confirm-email',
    'POST /connect/:token/:platform',
    'POST /connect/:token/choices/:choiceId',
    'POST /forgot-password',
    'POST /mcp',
    'POST /networks/:platform/data-deletion',
    'POST /networks/:platform/deauthorized',
    'POST /register',
    'POST /reset-password',
    'POST /sign-up',
    'POST /verify-email',
    'PUT /media/upload/*',
  ],
};

const writes = ({ method }: { method: unknown }) => !`${method}`.startsWith('GET');

test('every route that takes a session and makes or redirects access is listed, with its mail or the reason for none', () => {
  const takesSession = service.routes.filter(({ operation: { security = [] } }) =>
    security.some((entry) => 'session' in entry || 'accessToken' in entry),
  );
  const listed = [...Object.keys(mailed), ...Object.values(notMailed).flat()];
  expect(
    takesSession
      .filter(writes)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(listed.toSorted());
  const others = service.all.filter(({ url }) => !url.startsWith(`${prefix}/`)).filter(writes);
  expect(others.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
    Object.values(outside).flat().toSorted(),
  );
});

/** An owner with a webhook, a limited key and a managed user, made with the API key, and the owner's session. */
async function anOwner() {
  const user = await service.aUser();
  await setAccess(service.app, user.id, { workspace: true });
  const session = await signedIn(service, user);
  const limits = {
    name: 'Limited',
    scopes: ['read'],
    expiresAt: '2100-01-01T00:00:00Z',
    allowedAddresses: ['10.0.0.0/8'],
  };
  const key = (await bySession(user, session, 'POST /auth/api-keys', limits)).body.apiKey._id;
  const hook = (await user.call('POST', '/webhooks', { ...receiver, name: 'Own' })).body.webhook._id;
  const username = `client-of-${user.id}@example.com`;
  const managed = (await user.call('POST', '/workspace/users', { username })).body.user._id;
  const { email } = await service.app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const before = (await queuedMails(service.app, email, 'access_added')).length;
  const mails = async () => (await queuedMails(service.app, email, 'access_added')).slice(before);
  return { user, session, stage: { hook, key, managed }, mails };
}

/** Without the key that `call` adds: a request with a key is not by session. */
function bySession(
  user: TestUser,
  session: Record<string, string>,
  route: string,
  body?: object,
  ids: Partial<Stage> = {},
) {
  const [method, path] = route.split(' ') as [Method, string];
  return user.call(method, pathOf(path, ids), body, { ...session, 'x-service-key': '' });
}

const pathOf = (path: string, { hook = '', key = '', managed = '' }: Partial<Stage>) =>
  path.replace('{webhookId}', hook).replace('{keyId}', key).replace('{userId}', managed);

describe('a mail to the owner', () => {
  test.each(Object.entries(mailed))('follows %s with a session', async (route, { what, name, body }) => {
    const { user, session, stage, mails } = await anOwner();
    expect((await bySession(user, session, route, body, stage)).status).toBeLessThan(300);
    const [mail, ...others] = await mails();
    expect([mail, others]).toMatchObject([{ what, name: name.replace('{id}', user.id) }, []]);
    expect(contentOf('access_added', mail!).paragraphs[0]).toMatch(new RegExp(`${mail!.name}.* on .* with .*\\. `));
  });

  const withKey = Object.entries(mailed).filter(([route]) => !/ \/(auth|dashboard)\//.test(route));
  test.each(withKey)('does not follow %s with an API key', async (route, { body }) => {
    const { user, stage, mails } = await anOwner();
    const [method, path] = route.split(' ') as [Method, string];
    expect((await user.call(method, pathOf(path, stage), body)).status).toBeLessThan(300);
    expect(await mails()).toEqual([]);
  });

  test.each(['POST /webhooks', 'PATCH /webhooks/{webhookId}'])(
    'says for which managed user the owner used %s',
    async (route) => {
      const { user, session, stage, mails } = await anOwner();
      const acting = { 'x-service-user-id': stage.managed };
      const hook = (await user.call('POST', '/webhooks', { ...receiver, name: 'Own' }, acting)).body.webhook._id;
      const { body, what, name } = mailed[route]!;
      expect((await bySession(user, { ...session, ...acting }, route, body, { hook })).status).toBeLessThan(300);
      expect(await mails()).toMatchObject([{ what, name: `${name} (managed user ${stage.managed})` }]);
    },
  );

  test('follows no change that leads nowhere else', async () => {
    const { user, session, stage, mails } = await anOwner();
    const { url } = receiver;
    const unchanged = { name: 'Renamed', url, isActive: false, events: ['post.failed'] };
    for (const route of ['PATCH /webhooks/{webhookId}', 'PATCH /dashboard/webhooks/{webhookId}'])
      expect((await bySession(user, session, route, unchanged, stage)).status).toBe(200);
    await user.call('POST', `/workspace/users/${stage.managed}/connection-url`);
    await bySession(user, session, 'POST /workspace/users/{userId}/connection-url', undefined, stage);
    expect(await mails()).toEqual([]);
  });

  test.each<[change: object, mails: number]>([
    [{ scopes: ['read', 'media'] }, 1],
    [{ scopes: null }, 1],
    [{ expiresAt: null }, 1],
    [{ expiresAt: '2101-01-01T00:00:00Z' }, 1],
    [{ allowedAddresses: null }, 1],
    [{ allowedAddresses: [] }, 1],
    [{ allowedAddresses: ['10.0.0.0/8', '192.0.2.1'] }, 1],
    [{ name: 'Renamed' }, 0],
    [{ scopes: ['read'], expiresAt: '2100-01-01T00:00:00Z', allowedAddresses: ['10.0.0.0/8'] }, 0],
    [{ expiresAt: '2099-01-01T00:00:00Z' }, 0],
  ])('if a key is changed to %j: %i', async (change, count) => {
    const { user, session, stage, mails } = await anOwner();
    expect((await bySession(user, session, 'PATCH /auth/api-keys/{keyId}', change, stage)).status).toBe(200);
    expect((await mails()).map(({ what }) => what)).toEqual(Array(count).fill('wider API key'));
  });
});

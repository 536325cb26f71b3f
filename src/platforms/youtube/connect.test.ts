import { expect, test } from 'vitest';
import {
  application,
  authRequest,
  callback,
  oauthVendor,
  vendorParameters,
} from '../../../test/support/browser/sign-in.ts';
import { expectNoSecret, failureOf } from '../../../test/support/stages/platform.ts';
import { connect, testConnection } from './connect.ts';
import { description } from './description.ts';

const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1', channelId: 'UCann' };
const scopes = ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.force-ssl'];
const token = {
  token_type: 'Bearer',
  expires_in: 3599,
  access_token: 'access-token-2',
  scope: scopes.toReversed().join(' '),
  refresh_token: 'refresh-token-2',
};
const image = (size: string) => ({ url: `https://yt3.ggpht.com/ann=${size}` });
const ann = {
  id: 'UCann',
  snippet: {
    title: 'Ann Lee',
    customUrl: '@annlee',
    thumbnails: { default: image('s88'), medium: image('s240'), high: image('s800') },
  },
  contentDetails: { relatedPlaylists: { uploads: 'UUann' } },
  status: { longUploadsStatus: 'allowed' },
};

const vendor = (answers: Parameters<typeof oauthVendor>[1]) => oauthVendor('youtube', answers);
const channels = (...items: unknown[]) => ({ '/youtube/v3/channels': { body: items.length > 0 ? { items } : {} } });
const tokens = (more: Record<string, unknown> = {}) => ({ '/token': { body: { ...token, ...more } } });

test('the consent page lets people choose the channel and asks for long-term access', async () => {
  await using google = await vendor({});
  const { url } = await connect.start(authRequest, google.client);
  expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  expect(vendorParameters(url)).toEqual({
    client_id: 'client-1',
    scope: scopes.join(' '),
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'select_account consent',
  });
});

test('a code becomes a grant for the channel, with the scopes and the expiry that Google gave', async () => {
  await using google = await vendor({ ...tokens(), ...channels(ann) });
  expect(await connect.finish(callback, google.client)).toEqual([
    {
      account: {
        id: 'UCann',
        handle: 'annlee',
        displayName: 'Ann Lee',
        avatarUrl: 'https://yt3.ggpht.com/ann=s800',
        profileUrl: 'https://www.youtube.com/channel/UCann',
        traits: { longUploads: true },
      },
      credentials: { accessToken: 'access-token-2', refreshToken: 'refresh-token-2', channelId: 'UCann' },
      scopes: scopes.toReversed(),
      expiresAt: new Date('2031-02-03T05:05:05Z'),
    },
  ]);
  const [exchange, channel] = google.requests;
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    client_id: 'client-1',
    client_secret: 'client-secret-0123456789',
    grant_type: 'authorization_code',
    code: 'the-code-1',
    redirect_uri: callback.redirectUri,
    code_verifier: 'the-verifier-1',
  });
  expect(channel?.headers.authorization).toBe('Bearer access-token-2');
});

test('several channels are several grants', async () => {
  await using google = await vendor({ ...tokens(), ...channels(ann, { ...ann, id: 'UCben' }) });
  const grants = await connect.finish(callback, google.client);
  expect(grants.map(({ account, credentials }) => [account.id, credentials.channelId])).toEqual([
    ['UCann', 'UCann'],
    ['UCben', 'UCben'],
  ]);
});

test.for<[what: string, more: Record<string, unknown>]>([
  ['a permission that was unticked', { scope: scopes[1] }],
  ['a grant that would end after an hour', { refresh_token: undefined }],
])('%s is refused with what to do', async ([, more]) => {
  await using google = await vendor({ ...tokens(more), ...channels(ann) });
  const failure = await failureOf(connect.finish(callback, google.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('allow everything') });
});

test('a token without optional fields grants what was requested, with an unknown expiry', async () => {
  const { access_token, refresh_token } = token;
  await using google = await vendor({ '/token': { body: { access_token, refresh_token } }, ...channels(ann) });
  expect(await connect.finish(callback, google.client)).toMatchObject([{ scopes, expiresAt: null }]);
});

test('a Google account without a channel cannot be connected', async () => {
  await using google = await vendor({ ...tokens(), ...channels() });
  const failure = await failureOf(connect.finish(callback, google.client));
  expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('no YouTube channel') });
});

const noAccount = { id: '0', handle: '', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
const tested = (client: Awaited<ReturnType<typeof vendor>>['client']) =>
  testConnection({ ...client, credentials, account: noAccount });

test('a channel without details has its id as its name', async () => {
  const bare = { ...ann, snippet: { title: '' }, status: undefined };
  await using google = await vendor(channels(bare));
  expect(await tested(google.client)).toMatchObject({ handle: 'UCann', displayName: 'UCann', avatarUrl: null });
});

test.for([
  ['allowed', 43_200],
  ['longUploadsUnspecified', 43_200],
  ['eligible', 900],
  ['disallowed', 900],
] as const)(
  'a channel whose long uploads are "%s" may upload videos of %i seconds',
  async ([longUploadsStatus, seconds]) => {
    await using google = await vendor(channels({ ...ann, status: { longUploadsStatus } }));
    const { traits } = await tested(google.client);
    expect(description.limitsFor(traits).video.maxSeconds).toBe(seconds);
  },
);

test.for([
  [{}, /no YouTube channel/],
  [{ items: [{ ...ann, id: 'UCben' }] }, /another YouTube channel/],
] as const)('a sign-in that is no longer for the channel has to be repeated', async ([body, message]) => {
  await using google = await vendor({ '/youtube/v3/channels': { body } });
  const failure = await failureOf(tested(google.client));
  expect(failure.kind).toBe('auth');
  expect(failure.message).toMatch(message);
});

test.for([
  [token, 'refresh-token-2'],
  [{ ...token, refresh_token: undefined }, 'refresh-token-1'],
] as const)('a refresh keeps the refresh token unless Google sends another', async ([body, kept]) => {
  await using google = await vendor({ '/token': { body } });
  expect(await connect.refresh?.(credentials, google.client)).toEqual({
    credentials: { accessToken: 'access-token-2', refreshToken: kept, channelId: 'UCann' },
    expiresAt: new Date('2031-02-03T05:05:05Z'),
  });
  expect(Object.fromEntries(new URLSearchParams(google.requests[0]?.body))).toEqual({
    client_id: 'client-1',
    client_secret: 'client-secret-0123456789',
    grant_type: 'refresh_token',
    refresh_token: 'refresh-token-1',
  });
});

test('a refusal that repeats what was sent shows no secret', async () => {
  const said = `${callback.code} ${callback.codeVerifier} ${credentials.refreshToken} ${application.secret}`;
  await using google = await vendor({
    '/token': { status: 400, body: { error: 'invalid_grant', error_description: said } },
  });
  const refused = await failureOf(connect.finish(callback, google.client));
  expectNoSecret(refused, [callback.code, callback.codeVerifier, application.secret]);
  const expired = await failureOf(Promise.resolve(connect.refresh?.(credentials, google.client)));
  expectNoSecret(expired, [credentials.refreshToken, application.secret]);
});

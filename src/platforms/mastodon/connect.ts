import { type output, z } from 'zod';
import { type Account, type Context, type OAuthConnect, type PlatformClient, PlatformError } from '../kit/index.ts';
import { Application, type Credentials, call, clientName, Instance, OwnAccount, Token } from './api.ts';
import { hostOf, isHost } from './instance-name.ts';
import { traitsOf } from './limits.ts';

const Fields = z.object({
  instance: z
    .string()
    .overwrite(hostOf)
    .refine(isHost, 'Enter the name of your Mastodon server, such as mastodon.social.')
    .default('mastodon.social')
    .meta({ title: 'Server', description: 'The server your account lives on, such as mastodon.social.' }),
});

/** As little as publishing, finding our own posts and counting their replies take. */
const scope = 'read:accounts read:statuses write:statuses write:media';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',
  ownApplication: true,
  fields: Fields,

  async start({ redirectUri, state, codeChallenge, fields }, ctx) {
    const { instance } = Fields.parse(fields);
    const application = await register(instance, redirectUri, ctx);
    const url = new URL(`https://${instance}/oauth/authorize`);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: application.client_id,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString();
    return { url, memo: application };
  },

  async finish({ redirectUri, code, codeVerifier, fields, memo }, ctx) {
    const { instance } = Fields.parse(fields);
    const application = Application.parse(memo);
    const body = {
      grant_type: 'authorization_code',
      code,
      ...application,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    };
    const token = await call(Token, { instance, method: 'POST', path: '/oauth/token', body }, ctx);
    const credentials = { instance, accessToken: token.access_token };
    const account = await readAccount(credentials, ctx);
    // Tokens last until they are revoked: there is no expiry and nothing to refresh.
    return [{ account, credentials, scopes: token.scope.split(' ').filter(Boolean), expiresAt: null }];
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials, ctx);
}

async function register(
  instance: string,
  redirectUri: string,
  ctx: PlatformClient,
): Promise<output<typeof Application>> {
  const body = {
    client_name: clientName,
    // One line, not a list: servers before 4.3 know only text.
    redirect_uris: redirectUri,
    scopes: scope,
    website: new URL(redirectUri).origin,
  };
  return call(Application, { instance, method: 'POST', path: '/api/v1/apps', body }, ctx);
}

async function readAccount({ instance, accessToken }: Credentials, ctx: PlatformClient): Promise<Account> {
  const path = '/api/v1/accounts/verify_credentials';
  const [own, server] = await Promise.all([
    call(OwnAccount, { instance, path, accessToken }, ctx),
    readInstance(instance, ctx),
  ]);
  return {
    // Ids are unique on their server only.
    id: `${own.id}@${instance}`,
    handle: `${own.username}@${server.domain ?? instance}`,
    displayName: own.display_name || own.username,
    avatarUrl: own.avatar ?? null,
    profileUrl: own.url ?? null,
    traits: traitsOf(server),
  };
}

/** Older servers and some forks know only the first version; what we read is the same in both. */
async function readInstance(instance: string, ctx: PlatformClient): Promise<output<typeof Instance>> {
  try {
    return await call(Instance, { instance, path: '/api/v2/instance' }, ctx);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 404) throw error;
    return call(Instance, { instance, path: '/api/v1/instance' }, ctx);
  }
}

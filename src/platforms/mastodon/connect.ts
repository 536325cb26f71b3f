import { type output, z } from 'zod';
import {
  type Account,
  authorizeUrl,
  type Context,
  codeForm,
  type OAuthConnect,
  type PlatformClient,
  PlatformError,
  scopesIn,
  Token,
} from '../kit/index.ts';
import { Application, type Credentials, call, clientName, Instance, OwnAccount } from './api.ts';
import { handleDomain, hostOf, isHost } from './instance-name.ts';
import { traitsOf } from './limits.ts';

const Fields = z.object({
  instance: z
    .string()
    .overwrite(hostOf)
    .refine(isHost, 'Enter the name of your Mastodon server, such as mastodon.social.')
    .default('mastodon.social')
    .meta({ title: 'Server', description: 'The server your account lives on, such as mastodon.social.' }),
});

/** The least that publishing, finding our own posts and counting their replies need. */
const scope = 'read:accounts read:statuses write:statuses write:media';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',
  ownApplication: true,
  fields: Fields,

  async start(request, ctx) {
    const { instance } = Fields.parse(request.fields);
    const application = await register(instance, request.redirectUri, ctx);
    const page = { url: `https://${instance}/oauth/authorize`, scope, pkce: true, clientId: application.client_id };
    return { url: authorizeUrl(page, request, ctx), memo: application };
  },

  async finish(callback, ctx) {
    const { instance } = Fields.parse(callback.fields);
    const application = Application.parse(callback.memo);
    const body = { ...codeForm(callback), ...application };
    const secrets = [callback.code, callback.codeVerifier, application.client_secret];
    const token = await call(Token, { instance, path: '/oauth/token', body, secrets }, ctx);
    const credentials = { instance, accessToken: token.access_token };
    const account = await readAccount(credentials, ctx);
    // Tokens last until they are revoked, so there is nothing to refresh.
    return [{ account, credentials, scopes: scopesIn(token.scope, scope), expiresAt: null }];
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
    // A string, not a list: servers before 4.3 do not know lists.
    redirect_uris: redirectUri,
    scopes: scope,
    website: new URL(redirectUri).origin,
  };
  return call(Application, { instance, path: '/api/v1/apps', body }, ctx);
}

async function readAccount({ instance, accessToken }: Credentials, ctx: PlatformClient): Promise<Account> {
  const path = '/api/v1/accounts/verify_credentials';
  const [own, server] = await Promise.all([
    call(OwnAccount, { instance, path, accessToken }, ctx),
    readInstance(instance, ctx),
  ]);
  return {
    // Ids are unique only on their server.
    id: `${own.id}@${instance}`,
    handle: `${own.username}@${handleDomain(server.domain, instance)}`,
    displayName: own.display_name || own.username,
    avatarUrl: own.avatar ?? null,
    profileUrl: own.url ?? null,
    traits: traitsOf(server),
  };
}

/** Older servers and some forks know only the first version. What the adapter reads is the same in both. */
async function readInstance(instance: string, ctx: PlatformClient): Promise<output<typeof Instance>> {
  try {
    return await call(Instance, { instance, path: '/api/v2/instance' }, ctx);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 404) throw error;
    return call(Instance, { instance, path: '/api/v1/instance' }, ctx);
  }
}

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
import { Application, type Credentials, call, clientName, Instance, OwnAccount, Registered } from './api.ts';
import { handleDomain, hostOf, isHost } from './instance-name.ts';
import { traitsOf } from './limits.ts';

const Fields = z.object({
  instance: z
    .string()
    .overwrite(hostOf)
    .refine(isHost, 'Enter the name of your Mastodon server, such as mastodon.social.')
    .default('mastodon.social')
    .meta({ title: 'Server', description: 'The server of your account, such as mastodon.social.' }),
});

/** The minimum for publishing, finding our own posts and counting their replies. */
const narrowScope = 'read:accounts read:statuses write:statuses write:media';
/** For forks that do not support narrower scopes. */
const wholeScope = 'read write';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',
  ownApplication: true,
  serverOfUser: true,
  fields: Fields,

  async start(request, ctx) {
    const { instance } = Fields.parse(request.fields);
    const { application, scope } = await register(instance, request.redirectUri, ctx);
    const page = { url: `https://${instance}/oauth/authorize`, scope, pkce: true, clientId: application.client_id };
    return { url: authorizeUrl(page, request, ctx), memo: { ...application, scope } };
  },

  async finish(callback, ctx) {
    const { instance } = Fields.parse(callback.fields);
    const application = Application.parse(callback.memo);
    const { scope } = Asked.parse(callback.memo);
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

/** The scope that `start` requested. */
const Asked = z.object({ scope: z.string().max(200).default(narrowScope) });

/** Requests only what is needed, unless the server supports only the full scopes. */
async function register(instance: string, redirectUri: string, ctx: PlatformClient) {
  const registered = await registerFor(narrowScope, instance, redirectUri, ctx).catch(nullIfScopeRefused);
  const { scopes, ...application } = registered ?? (await registerFor(wholeScope, instance, redirectUri, ctx));
  const isNarrow = registered !== null && narrowScope.split(' ').every((name) => scopes?.includes(name) ?? true);
  return { application, scope: isNarrow ? narrowScope : wholeScope };
}

function registerFor(
  scopes: string,
  instance: string,
  redirectUri: string,
  ctx: PlatformClient,
): Promise<output<typeof Registered>> {
  const body = {
    client_name: clientName,
    // A string, not a list: servers before 4.3 do not support lists.
    redirect_uris: redirectUri,
    scopes,
    website: new URL(redirectUri).origin,
  };
  return call(Registered, { instance, path: '/api/v1/apps', body }, ctx);
}

/** "Scopes doesn't match configured on the server." */
function nullIfScopeRefused(error: unknown): null {
  const isRefusal = error instanceof PlatformError && (error.status === 400 || error.status === 422);
  if (isRefusal && /scope/i.test(error.reason ?? '')) return null;
  throw error;
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

/** Older servers and some forks have only the first version. The fields that the adapter reads are the same in both. */
async function readInstance(instance: string, ctx: PlatformClient): Promise<output<typeof Instance>> {
  try {
    return await call(Instance, { instance, path: '/api/v2/instance' }, ctx);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.status !== 404) throw error;
    return call(Instance, { instance, path: '/api/v1/instance' }, ctx);
  }
}

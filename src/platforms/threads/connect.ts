import { type output, z } from 'zod';
import type { SignedIn } from '../graph/api.ts';
import { type Account, type Context, type OAuthConnect, type PlatformClient, PlatformError } from '../kit/index.ts';
import { type Credentials, call, request } from './api.ts';
import { allowsReplies, readScopes, wanted } from './scopes.ts';

/** Threads knows no PKCE. */
export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start({ redirectUri, state }, ctx) {
    const url = new URL('https://threads.net/oauth/authorize');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: ctx.application().id,
      redirect_uri: redirectUri,
      scope: wanted,
      state,
    }).toString();
    return { url };
  },

  /** The code becomes a token for an hour, and that one for sixty days. */
  async finish({ redirectUri, code }, ctx) {
    const brief = await tokenForCode(code.replace(/#_$/, ''), redirectUri, ctx);
    const { secret } = ctx.application();
    const query = { grant_type: 'th_exchange_token', client_secret: secret, access_token: brief };
    const token = await requestToken('/access_token', query, [secret, brief], ctx);
    const { account, scopes } = await read({ ...ctx, credentials: { accessToken: token.access_token } });
    return [{ account, scopes: scopes ?? [], ...renewed(token, account.id, ctx) }];
  },

  /** There is no refresh token: one that still works is exchanged for another sixty days. */
  async refresh({ accessToken, userId }, ctx) {
    const query = { grant_type: 'th_refresh_token', access_token: accessToken };
    return renewed(await requestToken('/refresh_access_token', query, [accessToken], ctx), userId, ctx);
  },
};

export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { account, scopes } = await read(ctx);
  // What Threads does not tell today is as it was.
  return scopes ? account : { ...account, traits: ctx.account.traits };
}

const BriefToken = z.object({ access_token: z.string().min(1) });
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const Me = z.object({
  id: z.string().regex(/^\w+$/),
  username: z.string().min(1),
  name: z.string().nullish(),
  threads_profile_picture_url: z.string().nullish(),
});

async function tokenForCode(code: string, redirectUri: string, ctx: PlatformClient): Promise<string> {
  const { id, secret } = ctx.application();
  const form = {
    client_id: id,
    client_secret: secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
  };
  const url = new URL('https://graph.threads.net/oauth/access_token');
  const init = { method: 'POST', body: new URLSearchParams(form) };
  const { access_token } = await signingIn(request(BriefToken, url, init, [code, secret], ctx));
  return access_token;
}

function requestToken(path: string, query: Record<string, string>, secrets: string[], ctx: PlatformClient) {
  const url = new URL(`https://graph.threads.net${path}`);
  url.search = new URLSearchParams(query).toString();
  return signingIn(request(Token, url, {}, secrets, ctx));
}

/** What is refused here without a reason of its own is the sign-in. */
async function signingIn<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error;
    throw new PlatformError('auth', 'Threads does not accept the sign-in. Connect the account again.', {
      status: error.status ?? undefined,
      reason: error.reason ?? undefined,
    });
  }
}

const renewed = ({ access_token, expires_in }: output<typeof Token>, userId: string, ctx: PlatformClient) => ({
  credentials: { accessToken: access_token, userId },
  expiresAt: new Date(ctx.now().getTime() + expires_in * 1000),
});

async function read(ctx: SignedIn): Promise<{ account: Account; scopes: string[] | null }> {
  const query = { fields: 'id,username,name,threads_profile_picture_url' };
  const own = await call(Me, { path: '/me', query }, ctx);
  const scopes = await readScopes(ctx);
  const account: Account = {
    id: own.id,
    handle: own.username,
    displayName: own.name || own.username,
    avatarUrl: own.threads_profile_picture_url ?? null,
    profileUrl: `https://www.threads.com/@${own.username}`,
    traits: scopes ? { canReply: allowsReplies(scopes) } : {},
  };
  return { account, scopes };
}

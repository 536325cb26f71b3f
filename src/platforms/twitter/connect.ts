import {
  type Account,
  authorizeUrl,
  type Context,
  codeForm,
  expiryAfter,
  type OAuthConnect,
  type PlatformClient,
  type Renewed,
  refreshForm,
  requireRefreshToken,
  scopesIn,
  Token,
  tokenRequest,
} from '../kit/index.ts';
import { api, type Credentials, call, Me } from './api.ts';

/** The least that publishing and finding our own posts need. Without `offline.access` the sign-in ends after two hours. */
const scope = 'tweet.read tweet.write users.read media.write offline.access';
const page = { url: 'https://x.com/i/oauth2/authorize', scope, pkce: true };
const tokenEndpoint = { url: `${api}/oauth2/token`, application: 'header' } as const;

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl(page, request, ctx) };
  },

  async finish(callback, ctx) {
    const token = await call(Token, tokenRequest(tokenEndpoint, codeForm(callback), ctx), ctx);
    const renewed = renewedBy(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes: scopesIn(token.scope, scope), ...renewed }];
  },

  /** A refresh token works once: the one in the answer replaces it. */
  async refresh({ refreshToken }, ctx) {
    const token = await call(Token, tokenRequest(tokenEndpoint, refreshForm(refreshToken), ctx), ctx);
    return renewedBy(token, token.refresh_token ?? refreshToken, ctx);
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

function renewedBy(token: Token, refreshToken: string | undefined, ctx: PlatformClient): Renewed<Credentials> {
  return {
    credentials: { accessToken: token.access_token, refreshToken: requireRefreshToken('X', refreshToken) },
    expiresAt: expiryAfter(token.expires_in, ctx),
  };
}

const accountFields = 'id,name,username,profile_image_url,subscription_type';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const request = { url: `${api}/users/me`, query: { 'user.fields': accountFields }, accessToken };
  const { data: own } = await call(Me, request, ctx);
  return {
    id: own.id,
    handle: own.username,
    displayName: own.name || own.username,
    // The address given is of an image with 48 pixels. The same image with 400 pixels is beside it.
    avatarUrl: own.profile_image_url?.replace(/_normal(?=\.\w+$)/, '_400x400') ?? null,
    profileUrl: `https://x.com/${own.username}`,
    traits: { subscriptionType: own.subscription_type },
  };
}

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
  requireScopes,
  scopesIn,
  tokenRequest,
} from '../kit/index.ts';
import { api, type Credentials, call, requestToken, type TikTokToken, User } from './api.ts';

/** Publishing needs `video.publish`. The account and the address of a post need the others. */
const scope = 'user.info.basic,user.info.profile,video.publish';
const clientIdName = 'client_key';
/** TikTok takes PKCE only from applications on people's devices. */
const page = { url: 'https://www.tiktok.com/v2/auth/authorize/', scope, pkce: false, clientIdName };
const tokenEndpoint = { url: `${api}/oauth/token/`, application: 'form', clientIdName } as const;

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl(page, request, ctx) };
  },

  async finish({ redirectUri, code }, ctx) {
    const token = await requestToken(tokenRequest(tokenEndpoint, codeForm({ redirectUri, code }), ctx), ctx);
    const scopes = scopesIn(token.scope, scope);
    requireScopes('TikTok', scopes, scope);
    const renewed = renewedBy(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes, ...renewed }];
  },

  /** A refresh token works once: the one in the answer replaces it. */
  async refresh({ refreshToken }, ctx) {
    const token = await requestToken(tokenRequest(tokenEndpoint, refreshForm(refreshToken), ctx), ctx);
    return renewedBy(token, token.refresh_token ?? refreshToken, ctx);
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

function renewedBy(token: TikTokToken, refreshToken: string | undefined, ctx: PlatformClient): Renewed<Credentials> {
  return {
    credentials: {
      accessToken: token.access_token,
      refreshToken: requireRefreshToken('TikTok', refreshToken),
      openId: token.open_id,
    },
    expiresAt: expiryAfter(token.expires_in, ctx),
    refreshExpiresAt: expiryAfter(token.refresh_expires_in, ctx),
  };
}

const accountFields = 'open_id,username,display_name,avatar_url';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const { user } = await call(User, { url: `${api}/user/info/`, query: { fields: accountFields }, accessToken }, ctx);
  return {
    id: user.open_id,
    handle: user.username,
    displayName: user.display_name || user.username,
    avatarUrl: user.avatar_url ?? null,
    profileUrl: `https://www.tiktok.com/@${user.username}`,
    traits: {},
  };
}

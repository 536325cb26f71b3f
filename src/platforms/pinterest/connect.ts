import { type Account, type OAuthConnect, type PlatformClient, PlatformError, type Renewed } from '../kit/index.ts';
import { type Credentials, call, Token, UserAccount } from './api.ts';

/** To see who it is and which boards there are. Publishing would take `boards:write` and `pins:write` as well. */
const scope = 'user_accounts:read,boards:read';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  /** Without PKCE, which Pinterest does not document. */
  async start({ redirectUri, state }, ctx) {
    const url = new URL('https://www.pinterest.com/oauth/');
    url.search = new URLSearchParams({
      client_id: ctx.application().id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
    }).toString();
    return { url };
  },

  async finish({ redirectUri, code }, ctx) {
    // Applications from before 2025-09-25 get a refresh token that can be renewed only if they ask for one.
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, continuous_refresh: 'true' };
    const token = await requestToken(form, code, ctx);
    const grant = renewed(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes: token.scope.split(/[\s,]+/).filter(Boolean), ...grant }];
  },

  /** Each refresh token is good for one renewal: what comes back takes its place. */
  async refresh({ refreshToken }, ctx) {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const token = await requestToken(form, refreshToken, ctx);
    return renewed(token, token.refresh_token ?? refreshToken, ctx);
  },
};

function requestToken(form: Record<string, string>, sent: string, ctx: PlatformClient): Promise<Token> {
  const { id, secret } = ctx.application();
  const basic = Buffer.from(`${id}:${secret}`).toString('base64');
  const request = { path: '/oauth/token', authorization: `Basic ${basic}`, form, secrets: [sent, secret, basic] };
  return call(Token, request, ctx);
}

function renewed(token: Token, refreshToken: string | undefined, ctx: PlatformClient): Renewed<Credentials> {
  if (!refreshToken) {
    throw new PlatformError('auth', 'Pinterest gave no permission to stay connected. Connect again.');
  }
  const after = (seconds: number) => new Date(ctx.now().getTime() + seconds * 1000);
  const { access_token: accessToken, expires_in, refresh_token_expires_in: refreshSeconds } = token;
  return {
    credentials: { accessToken, refreshToken },
    expiresAt: after(expires_in),
    refreshExpiresAt: refreshSeconds === undefined ? null : after(refreshSeconds),
  };
}

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const request = { path: '/user_account', authorization: `Bearer ${accessToken}`, secrets: [accessToken] };
  const { id, username, business_name, profile_image } = await call(UserAccount, request, ctx);
  return {
    id: id ?? username,
    handle: username,
    displayName: business_name || username,
    avatarUrl: profile_image || null,
    profileUrl: `https://www.pinterest.com/${username}/`,
    traits: {},
  };
}

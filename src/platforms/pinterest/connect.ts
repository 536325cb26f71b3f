import {
  type Account,
  authorizeUrl,
  codeForm,
  expiryAfter,
  type OAuthConnect,
  type PlatformClient,
  type Renewed,
  refreshForm,
  requireRefreshToken,
  scopesIn,
  tokenRequest,
} from '../kit/index.ts';
import { api, type Credentials, call, callSignIn, PinterestToken, UserAccount } from './api.ts';

/** To read the account and its boards. Publishing would need `boards:write` and `pins:write` as well. */
const scope = 'user_accounts:read,boards:read';
/** Pinterest does not document PKCE. */
const page = { url: 'https://www.pinterest.com/oauth/', scope, pkce: false };
const tokenEndpoint = { url: `${api}/oauth/token`, application: 'header' } as const;

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl(page, request, ctx) };
  },

  async finish({ redirectUri, code }, ctx) {
    // Applications from before 2025-09-25 get a refresh token that can be renewed only if they ask for one.
    const token = await requestToken({ ...codeForm({ redirectUri, code }), continuous_refresh: 'true' }, ctx);
    const renewed = renewedBy(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes: scopesIn(token.scope, scope), ...renewed }];
  },

  /** A refresh token works once: the one in the answer replaces it. */
  async refresh({ refreshToken }, ctx) {
    const token = await requestToken(refreshForm(refreshToken), ctx);
    return renewedBy(token, token.refresh_token ?? refreshToken, ctx);
  },
};

const requestToken = (form: Record<string, string>, ctx: PlatformClient) =>
  callSignIn(PinterestToken, tokenRequest(tokenEndpoint, form, ctx), ctx);

function renewedBy(token: PinterestToken, refreshToken: string | undefined, ctx: PlatformClient): Renewed<Credentials> {
  return {
    credentials: { accessToken: token.access_token, refreshToken: requireRefreshToken('Pinterest', refreshToken) },
    expiresAt: expiryAfter(token.expires_in, ctx),
    refreshExpiresAt: expiryAfter(token.refresh_token_expires_in, ctx),
  };
}

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const user = await call(UserAccount, { url: `${api}/user_account`, accessToken }, ctx);
  const { id, username, business_name, profile_image } = user;
  return {
    id: id ?? username,
    handle: username,
    displayName: business_name || username,
    avatarUrl: profile_image || null,
    profileUrl: `https://www.pinterest.com/${username}/`,
    traits: {},
  };
}

import type { Account, PlatformClient } from '../context.ts';
import type { OAuthConnect, Renewed } from '../platform.ts';
import type { ApiRequest } from './api-calls.ts';
import {
  type AuthorizePage,
  authorizeUrl,
  codeForm,
  expiryAfter,
  refreshForm,
  requireRefreshToken,
  requireScopes,
  scopesIn,
  type Token,
  type TokenEndpoint,
  tokenRequest,
} from './oauth.ts';

/** A vendor whose connections last as long as their refresh tokens. */
export interface OAuthVendor<C extends OAuthTokens, T extends Token> {
  /** The display name. */
  readonly name: string;
  readonly page: AuthorizePage;
  readonly tokenEndpoint: TokenEndpoint;
  /** For vendors whose consent page lets people untick scopes that the service needs. */
  readonly requiresAllScopes?: boolean;
  requestToken(request: ApiRequest, ctx: PlatformClient): Promise<T>;
  /** The lifetime of the refresh token, if the vendor reports it. */
  refreshExpiresIn?(token: T): number | undefined;
  /** The accounts that the sign-in grants access to. */
  readAccounts(tokens: OAuthTokens, token: T, ctx: PlatformClient): Promise<{ account: Account; credentials: C }[]>;
}

export interface OAuthTokens {
  accessToken: string;
  refreshToken: string;
}

export function oauthConnect<C extends OAuthTokens, T extends Token>(vendor: OAuthVendor<C, T>): OAuthConnect<C> {
  const { name, page, tokenEndpoint } = vendor;
  const requestToken = (form: Record<string, string>, ctx: PlatformClient) =>
    vendor.requestToken(tokenRequest(tokenEndpoint, form, ctx), ctx);
  const expiries = (token: T, ctx: PlatformClient): Omit<Renewed<C>, 'credentials'> => ({
    expiresAt: expiryAfter(token.expires_in, ctx),
    ...(vendor.refreshExpiresIn && { refreshExpiresAt: expiryAfter(vendor.refreshExpiresIn(token), ctx) }),
  });

  return {
    kind: 'oauth',

    async start(request, ctx) {
      return { url: authorizeUrl(page, request, ctx) };
    },

    async finish({ code, redirectUri, codeVerifier }, ctx) {
      const callback = { code, redirectUri, ...(page.pkce && { codeVerifier }) };
      const token = await requestToken(codeForm(callback), ctx);
      const scopes = scopesIn(token.scope, page.scope);
      if (vendor.requiresAllScopes) requireScopes(name, scopes, page.scope);
      const refreshToken = requireRefreshToken(name, token.refresh_token);
      const accounts = await vendor.readAccounts({ accessToken: token.access_token, refreshToken }, token, ctx);
      return accounts.map((opened) => ({ ...opened, scopes, ...expiries(token, ctx) }));
    },

    /** With many vendors a refresh token works only once, so the one in the response replaces it. */
    async refresh(credentials, ctx) {
      const token = await requestToken(refreshForm(credentials.refreshToken), ctx);
      const { access_token: accessToken, refresh_token: refreshToken = credentials.refreshToken } = token;
      return { credentials: { ...credentials, accessToken, refreshToken }, ...expiries(token, ctx) };
    },
  };
}

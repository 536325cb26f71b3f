import {
  type Account,
  authorizeUrl,
  type Context,
  codeForm,
  expiryAfter,
  type OAuthConnect,
  PlatformError,
  refreshForm,
  scopesIn,
} from '../kit/index.ts';
import { readMember, readPage, readPages } from './account.ts';
import { type Credentials, requestToken } from './api.ts';
import { requestedScopes } from './operator-options.ts';

/** LinkedIn accepts PKCE only from native applications. */
const page = { url: 'https://www.linkedin.com/oauth/v2/authorization', pkce: false };

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl({ ...page, scope: requestedScopes(ctx).join(' ') }, request, ctx) };
  },

  /** One token serves the member and all of their pages. */
  async finish({ code, redirectUri }, ctx) {
    const token = await requestToken(codeForm({ code, redirectUri }), ctx);
    const { access_token: accessToken, refresh_token: refreshToken = null } = token;
    const scopes = token.scope === undefined ? requestedScopes(ctx) : scopesIn(token.scope);
    const access = { accessToken, refreshToken, scopes, organizationId: null };
    const member = await readMember(access, ctx);
    const pages = await readPages(access, ctx);
    return [member, ...pages].map((account) => ({
      account,
      credentials: { ...access, organizationId: account === member ? null : account.id },
      expiresAt: expiryAfter(token.expires_in, ctx),
      scopes,
    }));
  },

  /** LinkedIn issues refresh tokens only to applications that it approved for them. */
  async refresh({ refreshToken, organizationId, scopes }, ctx) {
    if (refreshToken === null) {
      const message = 'LinkedIn does not let this service renew the connection automatically. Reconnect the account.';
      throw new PlatformError('auth', message);
    }
    const token = await requestToken(refreshForm(refreshToken), ctx);
    return {
      credentials: {
        accessToken: token.access_token,
        refreshToken: token.refresh_token ?? refreshToken,
        organizationId,
        scopes: token.scope === undefined ? scopes : scopesIn(token.scope),
      },
      expiresAt: expiryAfter(token.expires_in, ctx),
    };
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { organizationId } = ctx.credentials;
  return organizationId === null ? readMember(ctx.credentials, ctx) : readPage(organizationId, ctx.credentials, ctx);
}

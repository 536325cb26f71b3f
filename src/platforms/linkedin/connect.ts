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

/**
 * What publishing, comments, company pages and statistics need. LinkedIn invalidates a person's earlier tokens when an
 * application asks for other scopes than before, so this list should not change. LinkedIn refuses the sign-in if the
 * application lacks one of them. All of them come with the Community Management API, which needs its own application.
 */
const scope = [
  'r_basicprofile',
  'w_member_social',
  'w_member_social_feed',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
  'rw_organization_admin',
  'r_organization_social',
  'w_organization_social',
  'w_organization_social_feed',
].join(' ');
/** LinkedIn takes PKCE only from native applications. */
const page = { url: 'https://www.linkedin.com/oauth/v2/authorization', scope, pkce: false };

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl(page, request, ctx) };
  },

  /** One token serves the member and all of their pages. */
  async finish({ code, redirectUri }, ctx) {
    const token = await requestToken(codeForm({ code, redirectUri }), ctx);
    const { access_token: accessToken, refresh_token: refreshToken = null } = token;
    const member = await readMember(accessToken, ctx);
    const pages = await readPages(accessToken, ctx);
    return [member, ...pages].map((account) => ({
      account,
      credentials: { accessToken, refreshToken, organizationId: account === member ? null : account.id },
      expiresAt: expiryAfter(token.expires_in, ctx),
      scopes: scopesIn(token.scope, scope),
    }));
  },

  /** LinkedIn gives refresh tokens only to applications that it approved for them. */
  async refresh({ refreshToken, organizationId }, ctx) {
    if (refreshToken === null) {
      const message = 'LinkedIn does not let this service renew the connection by itself. Reconnect the account.';
      throw new PlatformError('auth', message);
    }
    const token = await requestToken(refreshForm(refreshToken), ctx);
    return {
      credentials: {
        accessToken: token.access_token,
        refreshToken: token.refresh_token ?? refreshToken,
        organizationId,
      },
      expiresAt: expiryAfter(token.expires_in, ctx),
    };
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { accessToken, organizationId } = ctx.credentials;
  return organizationId === null ? readMember(accessToken, ctx) : readPage(organizationId, accessToken, ctx);
}

import { type Account, type Context, type OAuthConnect, PlatformError } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { readMember, readPage, readPages } from './identity.ts';
import { consentUrl, tokensForCode, tokensForRefresh } from './oauth.ts';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: consentUrl(request, ctx) };
  },

  /** One token serves the member and all of their pages. */
  async finish({ code, redirectUri }, ctx) {
    const { credentials, expiresAt, scopes } = await tokensForCode(code, redirectUri, ctx);
    const member = await readMember(credentials.accessToken, ctx);
    const pages = await readPages(credentials.accessToken, ctx);
    return [member, ...pages].map((account) => ({
      account,
      credentials: { ...credentials, organizationId: account === member ? null : account.id },
      expiresAt,
      scopes,
    }));
  },

  async refresh({ refreshToken, organizationId }, ctx) {
    if (refreshToken === null) {
      throw new PlatformError('auth', 'LinkedIn lets this connection be renewed only by hand. Connect again.');
    }
    const { credentials, expiresAt } = await tokensForRefresh(refreshToken, ctx);
    return {
      credentials: { ...credentials, refreshToken: credentials.refreshToken ?? refreshToken, organizationId },
      expiresAt,
    };
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { accessToken, organizationId } = ctx.credentials;
  return organizationId === null ? readMember(accessToken, ctx) : readPage(organizationId, accessToken, ctx);
}

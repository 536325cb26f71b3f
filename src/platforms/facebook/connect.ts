import type { Account, Context, OAuthConnect } from '../kit/index.ts';
import { readOwnPages, readPage } from './account.ts';
import type { Credentials } from './api.ts';
import { consentUrl, longToken, missingAt, missingScopes, notAllowed, rightsOf } from './scopes.ts';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: consentUrl(request, ctx) };
  },

  /** Each Page has a token of its own, which does not expire. */
  async finish({ code, redirectUri }, ctx) {
    const userToken = await longToken(code, redirectUri, ctx);
    const rights = await rightsOf(userToken, ctx);
    const missing = missingScopes(rights);
    if (missing.length > 0) throw notAllowed(missing);
    const pages = await readOwnPages(userToken, ctx);
    return pages
      .filter(({ account }) => missingAt(account.id, rights).length === 0)
      .map(({ account, accessToken }) => ({
        account,
        credentials: { accessToken, pageId: account.id },
        expiresAt: null,
        scopes: rights.scopes,
      }));
  },
};

/** What the Page was not ticked for shows in the rights only: Facebook would refuse it when a post is due. */
export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { pageId, accessToken } = ctx.credentials;
  const account = await readPage(pageId, accessToken, ctx);
  const missing = missingAt(pageId, await rightsOf(accessToken, ctx));
  if (missing.length > 0) throw notAllowed(missing);
  return account;
}

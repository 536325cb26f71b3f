import { rejectSignIn } from '../graph/connect.ts';
import {
  type Account,
  applicationFields,
  authorizeUrl,
  type Context,
  type OAuthConnect,
  type PlatformClient,
  Token,
} from '../kit/index.ts';
import { readOwnPages, readPage } from './account.ts';
import { type Credentials, call, version } from './api.ts';
import { name } from './failure.ts';
import {
  missingScopes,
  missingScopesAt,
  type Permissions,
  permissionMissing,
  readPermissions,
  scope,
} from './scopes.ts';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  /** Facebook needs no PKCE. `rerequest` asks again for previously declined permissions. */
  async start(request, ctx) {
    const url = `https://www.facebook.com/${version}/dialog/oauth`;
    return { url: authorizeUrl({ url, scope, pkce: false, extra: { auth_type: 'rerequest' } }, request, ctx) };
  },

  /** Each Page has its own token, which does not expire. */
  async finish({ code, redirectUri }, ctx) {
    const userToken = await longLivedToken(code, redirectUri, ctx);
    const permissions = await readPermissions(userToken, ctx);
    const missing = missingScopes(permissions);
    if (missing.length > 0) throw permissionMissing(missing);
    const pages = await readOwnPages(userToken, ctx);
    return pages
      .filter(({ account }) => missingScopesAt(account.id, permissions).length === 0)
      .map(({ account, accessToken }) => ({
        account: { ...account, traits: traitsOf(permissions) },
        credentials: { accessToken, pageId: account.id },
        expiresAt: null,
        scopes: permissions.scopes,
      }));
  },
};

/**
 * Only the permissions show whether this Page was ticked. For other Pages, Facebook refuses only once a post is due.
 */
export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { pageId, accessToken } = ctx.credentials;
  const account = await readPage(pageId, accessToken, ctx);
  const permissions = await readPermissions(accessToken, ctx);
  const missing = missingScopesAt(pageId, permissions);
  if (missing.length > 0) throw permissionMissing(missing);
  return { ...account, traits: traitsOf(permissions) };
}

const traitsOf = ({ grantedBy }: Permissions) => (grantedBy === undefined ? {} : { grantedBy });

/** A user token for 60 days. Page tokens read with it do not expire; those read with a short-lived token do. */
async function longLivedToken(code: string, redirectUri: string, ctx: PlatformClient): Promise<string> {
  const short = await readToken({ code, redirect_uri: redirectUri }, [code], ctx);
  return readToken({ grant_type: 'fb_exchange_token', fb_exchange_token: short }, [short], ctx);
}

async function readToken(parameters: Record<string, string>, secrets: string[], ctx: PlatformClient): Promise<string> {
  const query = { ...parameters, ...applicationFields(ctx).fields };
  const answer = Token.pick({ access_token: true });
  const { access_token } = await call(answer, { path: '/oauth/access_token', query, secrets }, ctx).catch(
    rejectSignIn(name),
  );
  return access_token;
}

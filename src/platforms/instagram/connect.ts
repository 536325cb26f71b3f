import { graphConnect } from '../graph/connect.ts';
import type { Account, Context } from '../kit/index.ts';
import { readAccount } from './account.ts';
import { type Credentials, request } from './api.ts';
import { name } from './failure.ts';

/** Instagram Login for professional accounts. */
export const connect = graphConnect({
  name,
  request,
  // The minimum for publishing and finding our own posts.
  scope: 'instagram_business_basic,instagram_business_content_publish',
  consentUrl: 'https://www.instagram.com/oauth/authorize',
  codeUrl: 'https://api.instagram.com/oauth/access_token',
  tokenUrl: 'https://graph.instagram.com',
  grantPrefix: 'ig',
  readGrant: async (ctx, permissions) => ({ account: await readAccount(ctx), scopes: permissions }),
});

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx);
}

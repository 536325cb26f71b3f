import { graphConnect } from '../graph/connect.ts';
import type { Account, Context } from '../kit/index.ts';
import { readAccount } from './account.ts';
import { type Credentials, request } from './api.ts';
import { name } from './failure.ts';
import { scope } from './scopes.ts';

export const connect = graphConnect({
  name,
  request,
  scope,
  consentUrl: 'https://threads.net/oauth/authorize',
  codeUrl: 'https://graph.threads.net/oauth/access_token',
  tokenUrl: 'https://graph.threads.net',
  grantPrefix: 'th',
  async readGrant(ctx) {
    const { account, scopes } = await readAccount(ctx);
    return { account, scopes: scopes ?? [] };
  },
});

export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const { account, scopes } = await readAccount(ctx);
  // Keep the known traits if Threads does not report the scopes.
  return scopes ? account : { ...account, traits: ctx.account.traits };
}

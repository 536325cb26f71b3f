import { type Account, type Context, oauthConnect, type PlatformClient, Token } from '../kit/index.ts';
import { api, type Credentials, call, Me } from './api.ts';

export const connect = oauthConnect<Credentials, Token>({
  name: 'X',
  page: {
    url: 'https://x.com/i/oauth2/authorize',
    // The minimum for publishing and finding our own posts. Without `offline.access`, the sign-in ends after two hours.
    scope: 'tweet.read tweet.write users.read media.write offline.access',
    pkce: true,
  },
  tokenEndpoint: { url: `${api}/oauth2/token`, application: 'header' },
  requestToken: (request, ctx) => call(Token, request, ctx),
  async readAccounts(credentials, _token, ctx) {
    return [{ account: await readAccount(credentials.accessToken, ctx), credentials }];
  },
});

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

const accountFields = 'id,name,username,profile_image_url,subscription_type';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const request = { url: `${api}/users/me`, query: { 'user.fields': accountFields }, accessToken };
  const { data: own } = await call(Me, request, ctx);
  return {
    id: own.id,
    handle: own.username,
    displayName: own.name || own.username,
    // X returns the URL of a 48-pixel image. The same image exists with 400 pixels.
    avatarUrl: own.profile_image_url?.replace(/_normal(?=\.\w+$)/, '_400x400') ?? null,
    profileUrl: `https://x.com/${own.username}`,
    traits: { subscriptionType: own.subscription_type },
  };
}

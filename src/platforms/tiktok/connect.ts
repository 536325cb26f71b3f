import { type Account, type Context, oauthConnect, type PlatformClient } from '../kit/index.ts';
import { api, type Credentials, call, requestToken, type TikTokToken, User } from './api.ts';

const clientIdName = 'client_key';

export const connect = oauthConnect<Credentials, TikTokToken>({
  name: 'TikTok',
  page: {
    url: 'https://www.tiktok.com/v2/auth/authorize/',
    // Publishing needs `video.publish`. The account and the URL of a post need the others.
    scope: 'user.info.basic,user.info.profile,video.publish',
    // TikTok accepts PKCE only from mobile and desktop applications.
    pkce: false,
    clientIdName,
  },
  tokenEndpoint: { url: `${api}/oauth/token/`, application: 'form', clientIdName },
  requiresAllScopes: true,
  requestToken,
  refreshExpiresIn: ({ refresh_expires_in }) => refresh_expires_in,
  async readAccounts(tokens, _token, ctx) {
    const account = await readAccount(tokens.accessToken, ctx);
    return [{ account, credentials: { ...tokens, openId: account.id } }];
  },
});

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

const accountFields = 'open_id,username,display_name,avatar_url';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const { user } = await call(User, { url: `${api}/user/info/`, query: { fields: accountFields }, accessToken }, ctx);
  return {
    id: user.open_id,
    handle: user.username,
    displayName: user.display_name || user.username,
    avatarUrl: user.avatar_url ?? null,
    profileUrl: `https://www.tiktok.com/@${user.username}`,
    traits: {},
  };
}

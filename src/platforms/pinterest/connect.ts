import { type Account, oauthConnect, type PlatformClient } from '../kit/index.ts';
import { api, type Credentials, call, callSignIn, PinterestToken, UserAccount } from './api.ts';

export const connect = oauthConnect<Credentials, PinterestToken>({
  name: 'Pinterest',
  page: {
    url: 'https://www.pinterest.com/oauth/',
    // For reading the account and its boards. Publishing would also need `boards:write` and `pins:write`.
    scope: 'user_accounts:read,boards:read',
    // Pinterest does not document PKCE.
    pkce: false,
  },
  tokenEndpoint: { url: `${api}/oauth/token`, application: 'header' },
  requestToken: (request, ctx) => callSignIn(PinterestToken, request, ctx),
  refreshExpiresIn: ({ refresh_token_expires_in }) => refresh_token_expires_in,
  async readAccounts(credentials, _token, ctx) {
    return [{ account: await readAccount(credentials.accessToken, ctx), credentials }];
  },
});

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const user = await call(UserAccount, { url: `${api}/user_account`, accessToken }, ctx);
  const { id, username, business_name, profile_image } = user;
  return {
    id: id ?? username,
    handle: username,
    displayName: business_name || username,
    avatarUrl: profile_image || null,
    profileUrl: `https://www.pinterest.com/${username}/`,
    traits: {},
  };
}

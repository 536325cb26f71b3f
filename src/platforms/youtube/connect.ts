import { type Account, type Context, oauthConnect, Token } from '../kit/index.ts';
import { accountOf, readChannels } from './account.ts';
import { type Credentials, call } from './api.ts';
import { noChannel, otherChannel } from './failure.ts';

export const connect = oauthConnect<Credentials, Token>({
  name: 'Google',
  page: {
    url: 'https://accounts.google.com/o/oauth2/v2/auth',
    // The first is for uploads; the second for reading the channel and its videos, and for adding videos to playlists.
    scope: 'https://www.googleapis.com/auth/youtube.upload https://www.googleapis.com/auth/youtube.force-ssl',
    pkce: true,
    // `select_account` lets people choose the channel. Without `consent`, a second sign-in gets no refresh token.
    extra: { access_type: 'offline', prompt: 'select_account consent' },
  },
  tokenEndpoint: { url: 'https://oauth2.googleapis.com/token', application: 'form' },
  requiresAllScopes: true,
  requestToken: (request, ctx) => call(Token, request, ctx),
  async readAccounts(tokens, _token, ctx) {
    const channels = await readChannels(tokens.accessToken, ctx);
    if (channels.length === 0) throw noChannel();
    return channels.map((channel) => ({
      account: accountOf(channel),
      credentials: { ...tokens, channelId: channel.id },
    }));
  },
});

export async function testConnection({ credentials, ...ctx }: Context<Credentials>): Promise<Account> {
  const channels = await readChannels(credentials.accessToken, ctx);
  const own = channels.find(({ id }) => id === credentials.channelId);
  if (own) return accountOf(own);
  throw channels.length === 0 ? noChannel() : otherChannel();
}

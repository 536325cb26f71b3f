import {
  type Account,
  authorizeUrl,
  type Context,
  codeForm,
  expiryAfter,
  type OAuthConnect,
  type PlatformClient,
  refreshForm,
  requireRefreshToken,
  requireScopes,
  scopesIn,
  Token,
  tokenRequest,
} from '../kit/index.ts';
import { accountOf, readChannels } from './account.ts';
import { type Credentials, call } from './api.ts';
import { noChannel, otherChannel } from './failure.ts';

/** One to upload; the other to read the channel and its videos, and to add videos to playlists. */
const scope = ['youtube.upload', 'youtube.force-ssl']
  .map((name) => `https://www.googleapis.com/auth/${name}`)
  .join(' ');
const page = {
  url: 'https://accounts.google.com/o/oauth2/v2/auth',
  scope,
  pkce: true,
  // `select_account` lets people choose the channel. Without `consent` a second sign-in gets no refresh token.
  extra: { access_type: 'offline', prompt: 'select_account consent' },
};
const tokenEndpoint = { url: 'https://oauth2.googleapis.com/token', application: 'form' } as const;

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start(request, ctx) {
    return { url: authorizeUrl(page, request, ctx) };
  },

  async finish(callback, ctx) {
    const token = await requestToken(codeForm(callback), ctx);
    const { access_token: accessToken } = token;
    const scopes = scopesIn(token.scope, scope);
    requireScopes('Google', scopes, scope);
    const refreshToken = requireRefreshToken('Google', token.refresh_token);
    const channels = await readChannels(accessToken, ctx);
    if (channels.length === 0) throw noChannel();
    return channels.map((channel) => ({
      account: accountOf(channel),
      credentials: { accessToken, refreshToken, channelId: channel.id },
      scopes,
      expiresAt: expiryAfter(token.expires_in, ctx),
    }));
  },

  /** Google keeps the refresh token, unless it sends another. */
  async refresh({ refreshToken, channelId }, ctx) {
    const token = await requestToken(refreshForm(refreshToken), ctx);
    const { access_token: accessToken, refresh_token: newRefreshToken = refreshToken } = token;
    return {
      credentials: { accessToken, refreshToken: newRefreshToken, channelId },
      expiresAt: expiryAfter(token.expires_in, ctx),
    };
  },
};

export async function testConnection({ credentials, ...ctx }: Context<Credentials>): Promise<Account> {
  const channels = await readChannels(credentials.accessToken, ctx);
  const own = channels.find(({ id }) => id === credentials.channelId);
  if (own) return accountOf(own);
  throw channels.length === 0 ? noChannel() : otherChannel();
}

const requestToken = (form: Record<string, string>, ctx: PlatformClient): Promise<Token> =>
  call(Token, tokenRequest(tokenEndpoint, form, ctx), ctx);

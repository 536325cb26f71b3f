import { type output, z } from 'zod';
import { type Account, type Context, type OAuthConnect, type PlatformClient, PlatformError } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { accountOf, readChannels } from './channel.ts';
import { failure, parseAnswer } from './failure.ts';

/** To upload; and to see what became of it, add it to playlists, and know the channel. */
const scopes = ['youtube.upload', 'youtube.force-ssl'].map((name) => `https://www.googleapis.com/auth/${name}`);

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start({ redirectUri, state, codeChallenge }, ctx) {
    const url = new URL('https://accounts.google.com/o/oauth2/v2/auth');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: ctx.application().id,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      access_type: 'offline',
      // Lets people choose the channel; and without consent anew, who connects again gets no refresh token.
      prompt: 'select_account consent',
    }).toString();
    return { url };
  },

  async finish({ redirectUri, code, codeVerifier }, ctx) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const token = await requestToken(form, [code, codeVerifier], ctx);
    const { access_token: accessToken, refresh_token: refreshToken } = token;
    const granted = token.scope.split(' ').filter(Boolean);
    if (!refreshToken || scopes.some((scope) => !granted.includes(scope))) throw incomplete(token.scope);
    const channels = await readChannels(accessToken, ctx);
    if (channels.length === 0) throw noChannel();
    return channels.map((channel) => ({
      account: accountOf(channel),
      credentials: { accessToken, refreshToken, channelId: channel.id },
      scopes: granted,
      expiresAt: endOf(token, ctx),
    }));
  },

  /** The refresh token stays, unless Google sends another. */
  async refresh({ refreshToken, channelId }, ctx) {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const token = await requestToken(form, [refreshToken], ctx);
    const credentials = {
      accessToken: token.access_token,
      refreshToken: token.refresh_token ?? refreshToken,
      channelId,
    };
    return { credentials, expiresAt: endOf(token, ctx) };
  },
};

export async function testConnection({ credentials, ...ctx }: Context<Credentials>): Promise<Account> {
  const channels = await readChannels(credentials.accessToken, ctx);
  const own = channels.find(({ id }) => id === credentials.channelId);
  if (own) return accountOf(own);
  throw channels.length === 0 ? noChannel() : otherChannel();
}

const Token = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  scope: z.string().default(''),
});

async function requestToken(
  fields: Record<string, string>,
  sent: string[],
  ctx: PlatformClient,
): Promise<output<typeof Token>> {
  const { id, secret } = ctx.application();
  const body = new URLSearchParams({ client_id: id, client_secret: secret, ...fields });
  const headers = { accept: 'application/json' };
  const response = await ctx.fetch('https://oauth2.googleapis.com/token', { method: 'POST', headers, body });
  if (!response.ok) throw await failure(response, { now: ctx.now(), secrets: [...sent, secret] });
  return parseAnswer(Token, response);
}

const endOf = ({ expires_in }: output<typeof Token>, ctx: PlatformClient) =>
  new Date(ctx.now().getTime() + expires_in * 1000);

/** Google lets people untick each permission. */
const incomplete = (granted: string) =>
  new PlatformError('auth', 'Not all that is needed was allowed. Connect again, and allow all that is asked.', {
    reason: `Google granted: ${granted || 'nothing'}`,
  });
const noChannel = () =>
  new PlatformError(
    'auth',
    'The Google account has no YouTube channel. Create one at youtube.com, then connect it again.',
  );
const otherChannel = () =>
  new PlatformError('auth', 'The sign-in is for another YouTube channel now. Connect again, and choose the channel.');

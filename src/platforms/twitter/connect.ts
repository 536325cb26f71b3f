import type { output } from 'zod';
import {
  type Account,
  type Context,
  type OAuthConnect,
  type PlatformClient,
  PlatformError,
  type Renewed,
} from '../kit/index.ts';
import { bearer, type Credentials, call, Me, Token } from './api.ts';

/** As little as publishing and finding our own posts take. Without `offline.access` the sign-in ends after two hours. */
const scope = 'tweet.read tweet.write users.read media.write offline.access';

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start({ redirectUri, state, codeChallenge }, ctx) {
    const url = new URL('https://x.com/i/oauth2/authorize');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: ctx.application().id,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString();
    return { url };
  },

  async finish({ redirectUri, code, codeVerifier }, ctx) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
    const token = await requestToken(form, [code, codeVerifier], ctx);
    const grant = renewed(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes: token.scope.split(' ').filter(Boolean), ...grant }];
  },

  /** A refresh token works once: what comes back takes its place. */
  async refresh({ refreshToken }, ctx) {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const token = await requestToken(form, [refreshToken], ctx);
    return renewed(token, token.refresh_token ?? refreshToken, ctx);
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

function requestToken(
  form: Record<string, string>,
  sent: string[],
  ctx: PlatformClient,
): Promise<output<typeof Token>> {
  const { id, secret } = ctx.application();
  const basic = Buffer.from(`${id}:${secret}`).toString('base64');
  const request = {
    method: 'POST' as const,
    path: '/oauth2/token',
    authorization: `Basic ${basic}`,
    body: new URLSearchParams(form),
    secrets: [...sent, secret, basic],
  };
  return call(Token, request, ctx);
}

function renewed(
  token: output<typeof Token>,
  refreshToken: string | undefined,
  ctx: PlatformClient,
): Renewed<Credentials> {
  if (!refreshToken) {
    throw new PlatformError(
      'auth',
      'X gave no permission to stay connected. Connect again, and allow all that is asked.',
    );
  }
  return {
    credentials: { accessToken: token.access_token, refreshToken },
    expiresAt: new Date(ctx.now().getTime() + token.expires_in * 1000),
  };
}

const accountFields = 'id,name,username,profile_image_url,subscription_type';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const path = `/users/me?${new URLSearchParams({ 'user.fields': accountFields })}`;
  const { data: own } = await call(Me, { ...bearer(accessToken), path }, ctx);
  return {
    id: own.id,
    handle: own.username,
    displayName: own.name || own.username,
    // The address given is of a picture with 48 pixels; the same with 400 is beside it.
    avatarUrl: own.profile_image_url?.replace(/_normal(?=\.\w+$)/, '_400x400') ?? null,
    profileUrl: `https://x.com/${own.username}`,
    traits: { subscriptionType: own.subscription_type },
  };
}

import type { output } from 'zod';
import {
  type Account,
  type Context,
  type OAuthConnect,
  type PlatformClient,
  PlatformError,
  type Renewed,
} from '../kit/index.ts';
import { type Credentials, call, requestToken, type Token, User } from './api.ts';

/** Publishing takes the last; who posts, and the address of a post, the others. */
const scopes = ['user.info.basic', 'user.info.profile', 'video.publish'];

export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  /** Without PKCE, which is for applications on people's devices. */
  async start({ redirectUri, state }, ctx) {
    const url = new URL('https://www.tiktok.com/v2/auth/authorize/');
    url.search = new URLSearchParams({
      client_key: ctx.application().id,
      response_type: 'code',
      scope: scopes.join(','),
      redirect_uri: redirectUri,
      state,
    }).toString();
    return { url };
  },

  async finish({ redirectUri, code }, ctx) {
    const token = await requestToken({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, ctx);
    const granted = token.scope.split(/[\s,]+/).filter(Boolean);
    // People can untick each of them on the consent page.
    if (scopes.some((scope) => !granted.includes(scope))) {
      const message = 'TikTok did not grant all that is needed. Connect again, and leave everything ticked.';
      throw new PlatformError('auth', message, { reason: `Granted: ${granted.join(', ')}` });
    }
    const grant = renewed(token, token.refresh_token, ctx);
    const account = await readAccount(token.access_token, ctx);
    return [{ account, scopes: granted, ...grant }];
  },

  /** A refresh token works once: what comes back takes its place. */
  async refresh({ refreshToken }, ctx) {
    const token = await requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken }, ctx);
    return renewed(token, token.refresh_token ?? refreshToken, ctx);
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx.credentials.accessToken, ctx);
}

function renewed(
  token: output<typeof Token>,
  refreshToken: string | undefined,
  ctx: PlatformClient,
): Renewed<Credentials> {
  if (!refreshToken) {
    throw new PlatformError('auth', 'TikTok gave no permission to stay connected. Connect again.');
  }
  const after = (seconds: number) => new Date(ctx.now().getTime() + seconds * 1000);
  return {
    credentials: { accessToken: token.access_token, refreshToken, openId: token.open_id },
    expiresAt: after(token.expires_in),
    refreshExpiresAt: token.refresh_expires_in === undefined ? null : after(token.refresh_expires_in),
  };
}

const accountFields = 'open_id,username,display_name,avatar_url';

async function readAccount(accessToken: string, ctx: PlatformClient): Promise<Account> {
  const path = `/user/info/?${new URLSearchParams({ fields: accountFields })}`;
  const { user } = await call(User, { path, accessToken }, ctx);
  return {
    id: user.open_id,
    handle: user.username,
    displayName: user.display_name || user.username,
    avatarUrl: user.avatar_url ?? null,
    profileUrl: `https://www.tiktok.com/@${user.username}`,
    traits: {},
  };
}

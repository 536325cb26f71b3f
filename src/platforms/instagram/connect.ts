import { type output, type ZodType, z } from 'zod';
import type { SignedIn } from '../graph/api.ts';
import { type Account, type Context, type OAuthConnect, type PlatformClient, PlatformError } from '../kit/index.ts';
import { type Credentials, call, request } from './api.ts';

/** As little as publishing and finding our own posts take. */
const scope = 'instagram_business_basic,instagram_business_content_publish';

/** Instagram Login for professional accounts. It knows no PKCE. */
export const connect: OAuthConnect<Credentials> = {
  kind: 'oauth',

  async start({ redirectUri, state }, ctx) {
    const url = new URL('https://www.instagram.com/oauth/authorize');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: ctx.application().id,
      redirect_uri: redirectUri,
      scope,
      state,
    }).toString();
    return { url };
  },

  /** The code becomes a token for an hour, and that one for sixty days. */
  async finish({ redirectUri, code }, ctx) {
    const brief = await tokenForCode(code.replace(/#_$/, ''), redirectUri, ctx);
    const { secret } = ctx.application();
    const query = { grant_type: 'ig_exchange_token', client_secret: secret, access_token: brief.access_token };
    const token = await requestToken('/access_token', query, [secret, brief.access_token], ctx);
    const account = await readAccount({ ...ctx, credentials: { accessToken: token.access_token } });
    return [{ account, scopes: brief.permissions, ...renewed(token, account.id, ctx) }];
  },

  /** There is no refresh token: one that still works is exchanged for another sixty days. */
  async refresh({ accessToken, userId }, ctx) {
    const query = { grant_type: 'ig_refresh_token', access_token: accessToken };
    return renewed(await requestToken('/refresh_access_token', query, [accessToken], ctx), userId, ctx);
  },
};

export function testConnection(ctx: Context<Credentials>): Promise<Account> {
  return readAccount(ctx);
}

/** Some answers come wrapped in a list. */
const Listed = z.object({ data: z.tuple([z.unknown()], z.unknown()) });
const perhapsListed = <T extends ZodType>(answer: T) =>
  z.preprocess((given) => Listed.safeParse(given).data?.data[0] ?? given, answer);

const BriefToken = perhapsListed(
  z.object({
    access_token: z.string().min(1),
    permissions: z
      .union([z.array(z.string()), z.string().transform((list) => list.split(','))])
      .default([])
      .transform((names) => names.map((name) => name.trim()).filter(Boolean)),
  }),
);
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const Me = perhapsListed(
  z.object({
    user_id: z.string().regex(/^\w+$/),
    username: z.string().min(1),
    name: z.string().nullish(),
    profile_picture_url: z.string().nullish(),
  }),
);

async function tokenForCode(code: string, redirectUri: string, ctx: PlatformClient) {
  const { id, secret } = ctx.application();
  const form = {
    client_id: id,
    client_secret: secret,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
  };
  const url = new URL('https://api.instagram.com/oauth/access_token');
  const init = { method: 'POST', body: new URLSearchParams(form) };
  return signingIn(request(BriefToken, url, init, [code, secret], ctx));
}

function requestToken(path: string, query: Record<string, string>, secrets: string[], ctx: PlatformClient) {
  const url = new URL(`https://graph.instagram.com${path}`);
  url.search = new URLSearchParams(query).toString();
  return signingIn(request(Token, url, {}, secrets, ctx));
}

/** What is refused here without a reason of its own is the sign-in. */
async function signingIn<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error;
    throw new PlatformError('auth', 'Instagram does not accept the sign-in. Connect the account again.', {
      status: error.status ?? undefined,
      reason: error.reason ?? undefined,
    });
  }
}

const renewed = ({ access_token, expires_in }: output<typeof Token>, userId: string, ctx: PlatformClient) => ({
  credentials: { accessToken: access_token, userId },
  expiresAt: new Date(ctx.now().getTime() + expires_in * 1000),
});

async function readAccount(ctx: SignedIn): Promise<Account> {
  const query = { fields: 'user_id,username,name,profile_picture_url' };
  const own = await call(Me, { path: '/me', query }, ctx);
  return {
    id: own.user_id,
    handle: own.username,
    displayName: own.name || own.username,
    avatarUrl: own.profile_picture_url ?? null,
    profileUrl: `https://www.instagram.com/${own.username}/`,
    traits: {},
  };
}

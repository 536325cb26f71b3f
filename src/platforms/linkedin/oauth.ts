import { type output, type ZodType, z } from 'zod';
import type { PlatformClient, Renewed } from '../kit/index.ts';
import { failure, parseAnswer } from './failure.ts';

/**
 * What publishing, comments, company pages and statistics take. Whoever asks for other scopes than before takes the
 * earlier tokens away from the person, so this list is to stay as it is. An application that lacks one of them is refused
 * at sign-in; all of them come with the Community Management API, which wants an application of its own.
 */
const scope = [
  'r_basicprofile',
  'w_member_social',
  'w_member_social_feed',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
  'rw_organization_admin',
  'r_organization_social',
  'w_organization_social',
  'w_organization_social_feed',
].join(' ');

/** Without PKCE: only native applications may use it at LinkedIn. */
export function consentUrl({ redirectUri, state }: { redirectUri: string; state: string }, ctx: PlatformClient): URL {
  const url = new URL('https://www.linkedin.com/oauth/v2/authorization');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: ctx.application().id,
    redirect_uri: redirectUri,
    state,
    scope,
  }).toString();
  return url;
}

export interface Tokens extends Renewed<{ accessToken: string; refreshToken: string | null }> {
  scopes: string[];
}

export const tokensForCode = (code: string, redirectUri: string, ctx: PlatformClient): Promise<Tokens> =>
  askForTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }, ctx);

export const tokensForRefresh = (refreshToken: string, ctx: PlatformClient): Promise<Tokens> =>
  askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }, ctx);

async function askForTokens(fields: Record<string, string>, ctx: PlatformClient): Promise<Tokens> {
  const { access_token, refresh_token, expires_in, scope } = await post(Token, 'accessToken', fields, ctx);
  return {
    // Only applications that LinkedIn approved for it get a refresh token.
    credentials: { accessToken: access_token, refreshToken: refresh_token || null },
    expiresAt: new Date(ctx.now().getTime() + expires_in * 1000),
    scopes: scope.split(/[\s,]+/).filter(Boolean),
  };
}

const Token = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().optional(),
  scope: z.string().default(''),
});

/** What LinkedIn's own book-keeping says of a token, which is ahead of the servers that check it. */
export async function isActive(token: string, ctx: PlatformClient): Promise<boolean> {
  const { active } = await post(z.object({ active: z.boolean() }), 'introspectToken', { token }, ctx);
  return active;
}

async function post<T extends ZodType>(
  answer: T,
  name: string,
  fields: Record<string, string>,
  ctx: PlatformClient,
): Promise<output<T>> {
  const { id, secret } = ctx.application();
  const response = await ctx.fetch(`https://www.linkedin.com/oauth/v2/${name}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...fields, client_id: id, client_secret: secret }),
  });
  const { code = '', refresh_token = '', token = '' } = fields;
  if (!response.ok) throw await failure(response, { now: ctx.now(), secrets: [secret, code, refresh_token, token] });
  return parseAnswer(answer, response);
}

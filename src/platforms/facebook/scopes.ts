import { z } from 'zod';
import { type PlatformClient, PlatformError } from '../kit/index.ts';
import { call, Id, version } from './api.ts';

/** Without these no post can be made, or found again. */
const needed = ['pages_show_list', 'pages_manage_posts', 'pages_read_engagement'] as const;
/** With the last, Pages that belong to a business are seen as well. */
const scope = ['public_profile', ...needed, 'business_management'].join(',');

/** Facebook needs no PKCE. What was declined in the past is asked for again. */
export function consentUrl({ redirectUri, state }: { redirectUri: string; state: string }, ctx: PlatformClient): URL {
  const url = new URL(`https://www.facebook.com/${version}/dialog/oauth`);
  url.search = new URLSearchParams({
    client_id: ctx.application().id,
    redirect_uri: redirectUri,
    state,
    scope,
    response_type: 'code',
    auth_type: 'rerequest',
  }).toString();
  return url;
}

/** Of the person, for 60 days. The tokens of their Pages got with it last; those got with a shorter one do not. */
export async function longToken(code: string, redirectUri: string, ctx: PlatformClient): Promise<string> {
  const short = await askForToken({ code, redirect_uri: redirectUri }, [code], ctx);
  return askForToken({ grant_type: 'fb_exchange_token', fb_exchange_token: short }, [short], ctx);
}

const Token = z.object({ access_token: z.string().min(1) });

async function askForToken(fields: Record<string, string>, secrets: string[], ctx: PlatformClient): Promise<string> {
  const { id, secret } = ctx.application();
  const query = { ...fields, client_id: id, client_secret: secret };
  const request = { path: '/oauth/access_token', query, accessToken: null, secrets };
  const { access_token } = await call(Token, request, ctx).catch(refusedSignIn);
  return access_token;
}

function refusedSignIn(error: unknown): never {
  if (!(error instanceof PlatformError && error.kind === 'rejected')) throw error;
  const { status, reason } = error;
  throw new PlatformError('auth', 'Facebook does not accept the sign-in. Connect again.', {
    status: status ?? undefined,
    reason: reason ?? undefined,
  });
}

const TokenFacts = z.object({
  data: z.object({
    scopes: z.array(z.string()).default([]),
    granular_scopes: z.array(z.object({ scope: z.string(), target_ids: z.array(Id).optional() })).default([]),
  }),
});

/** What a token may do. */
export async function rightsOf(token: string, ctx: PlatformClient): Promise<Rights> {
  const { id, secret } = ctx.application();
  const query = { input_token: token };
  const request = { path: '/debug_token', query, accessToken: `${id}|${secret}`, secrets: [token] };
  const { data } = await call(TokenFacts, request, ctx);
  return { scopes: data.scopes, pages: new Map(data.granular_scopes.map((one) => [one.scope, one.target_ids])) };
}
interface Rights {
  scopes: string[];
  /** The Pages that a scope is limited to. People may tick only some of theirs. */
  pages: ReadonlyMap<string, readonly string[] | undefined>;
}

export const missingScopes = ({ scopes }: Rights): string[] => needed.filter((name) => !scopes.includes(name));

export const missingAt = (pageId: string, rights: Rights): string[] =>
  needed.filter((name) => !rights.scopes.includes(name) || rights.pages.get(name)?.includes(pageId) === false);

export const notAllowed = (missing: readonly string[]) =>
  new PlatformError('auth', 'The permission to post was not given. Connect again, and allow all that is asked.', {
    reason: `Missing: ${missing.join(', ')}`,
  });

import { z } from 'zod';
import type { PlatformClient } from '../context.ts';
import { PlatformError } from '../failure.ts';
import { messages } from '../messages.ts';
import type { AuthRequest } from '../platform.ts';
import { maxTokenLength } from './answer-bounds.ts';
import type { ApiRequest } from './api-calls.ts';

export interface AuthorizePage {
  readonly url: string;
  readonly scope: string;
  /** False if the vendor does not accept PKCE from a web application. */
  readonly pkce: boolean;
  /** Parameters that the vendor requires in addition to those of RFC 6749. */
  readonly extra?: Readonly<Record<string, string>>;
  /** TikTok calls it `client_key`. */
  readonly clientIdName?: string;
  /** Default: this service's own application. */
  readonly clientId?: string;
}

/** The vendor's consent page (RFC 6749 section 4.1.1, RFC 7636). */
export function authorizeUrl(page: AuthorizePage, request: AuthRequest, ctx: Pick<PlatformClient, 'application'>): URL {
  const url = new URL(page.url);
  url.search = new URLSearchParams({
    response_type: 'code',
    [page.clientIdName ?? 'client_id']: page.clientId ?? ctx.application().id,
    redirect_uri: request.redirectUri,
    scope: page.scope,
    state: request.state,
    ...(page.pkce && { code_challenge: request.codeChallenge, code_challenge_method: 'S256' }),
    ...page.extra,
  }).toString();
  return url;
}

/** An optional lifetime. Some servers send null or zero for none, or the number as text. No date is later than 1e11. */
export const OptionalSeconds = z.coerce.number().positive().max(1e11).optional().catch(undefined);

/** A token response (RFC 6749 section 5.1). Only the access token is required there. */
export const Token = z.object({
  access_token: z.string().max(maxTokenLength).min(1),
  /** Some vendors send an empty one for none. */
  refresh_token: z
    .string()
    .max(maxTokenLength)
    .nullish()
    .transform((token) => token || undefined),
  expires_in: OptionalSeconds,
  /** Omitted if it equals the requested scope. */
  scope: z
    .string()
    .max(10_000)
    .nullish()
    .transform((scope) => scope ?? undefined),
});
export type Token = z.output<typeof Token>;

/** The form that exchanges a code (RFC 6749 section 4.1.3). */
export const codeForm = (callback: { code: string; redirectUri: string; codeVerifier?: string }) => ({
  grant_type: 'authorization_code',
  code: callback.code,
  redirect_uri: callback.redirectUri,
  ...(callback.codeVerifier !== undefined && { code_verifier: callback.codeVerifier }),
});

export const refreshForm = (refreshToken: string) => ({ grant_type: 'refresh_token', refresh_token: refreshToken });

export interface TokenEndpoint {
  readonly url: string;
  /** Where the application's id and secret go: `Authorization: Basic`, or two fields of the form. */
  readonly application: 'header' | 'form';
  readonly clientIdName?: string;
}

/** The request that sends such a form. */
export function tokenRequest(
  { url, application, clientIdName }: TokenEndpoint,
  form: Readonly<Record<string, string>>,
  ctx: Pick<PlatformClient, 'application'>,
): ApiRequest {
  const sent = secretFields.flatMap((name) => form[name] ?? []);
  if (application === 'header') {
    const { headers, secrets } = basicAuthorization(ctx);
    return { url, headers, body: new URLSearchParams(form), secrets: [...secrets, ...sent] };
  }
  const { fields, secrets } = applicationFields(ctx, clientIdName);
  return { url, body: new URLSearchParams({ ...fields, ...form }), secrets: [...secrets, ...sent] };
}

const secretFields = ['code', 'code_verifier', 'refresh_token', 'token'];

/** The application's id and secret as `Authorization: Basic` (RFC 6749 section 2.3.1), and the values to redact. */
export function basicAuthorization(ctx: Pick<PlatformClient, 'application'>) {
  const { id, secret } = ctx.application();
  // Form-encoded, because a colon in the id would end it.
  const basic = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64');
  return { headers: { authorization: `Basic ${basic}` }, secrets: [secret, basic] };
}

const formEncoded = (text: string) => new URLSearchParams({ text }).toString().slice('text='.length);

/** The application's id and secret as form fields, and the values to redact. */
export function applicationFields(ctx: Pick<PlatformClient, 'application'>, clientIdName = 'client_id') {
  const { id, secret } = ctx.application();
  return { fields: { [clientIdName]: id, client_secret: secret }, secrets: [secret] };
}

/** Null if the vendor gives no lifetime. */
export const expiryAfter = (seconds: number | undefined, ctx: Pick<PlatformClient, 'now'>): Date | null =>
  seconds === undefined ? null : new Date(ctx.now().getTime() + seconds * 1000);

/** Vendors separate scopes with spaces, commas, or both. A vendor that lists none has granted what was requested. */
export const scopesIn = (list: string | undefined, requested = ''): string[] =>
  (list ?? requested).split(/[\s,]+/).filter(Boolean);

/** For vendors whose consent page lets people untick a scope that the service needs. */
export function requireScopes(name: string, granted: readonly string[], requested: string): void {
  if (scopesIn(requested).every((scope) => granted.includes(scope))) return;
  const reason = `${name} granted: ${granted.join(' ') || 'nothing'}`;
  throw new PlatformError('auth', messages.permissionMissing(name), { reason });
}

/** Without a refresh token the connection would end with the access token. */
export function requireRefreshToken(name: string, refreshToken: string | undefined): string {
  if (refreshToken) return refreshToken;
  throw new PlatformError('auth', messages.noLongTermAccess(name));
}

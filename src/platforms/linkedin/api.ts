import { type output, type ZodType, z } from 'zod';
import type { Json } from '../../foundation/lib/json.ts';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import {
  type ApiRequest,
  apiCalls,
  type Context,
  type PlatformClient,
  PlatformError,
  parseJson,
  secret,
  Token,
  tokenRequest,
} from '../kit/index.ts';
import { failureIn, PassedOn } from './failure.ts';
import { apiVersion } from './operator-options.ts';

export const Credentials = z.object({
  accessToken: secret(),
  refreshToken: secret().nullable(),
  /** The company page that the connection posts as; null if it posts as the member. */
  organizationId: z.string().min(1).nullable(),
  /** The scopes of the access token, if LinkedIn reported them. */
  scopes: z.array(z.string()).optional(),
});
export type Credentials = output<typeof Credentials>;
type Ctx = Context<Credentials>;

/** The author of posts, uploads and comments. */
export const authorOf = ({ account, credentials: { organizationId } }: Ctx) =>
  organizationId === null ? `urn:li:person:${account.id}` : `urn:li:organization:${organizationId}`;

export interface Call {
  readonly method?: 'DELETE';
  /** The caller encodes names in it. The brackets and commas of a list must not be encoded. */
  readonly path: string;
  readonly accessToken: string;
  readonly finder?: boolean;
  readonly body?: Readonly<Record<string, unknown>>;
}

const calls = apiCalls({ name: 'LinkedIn', failureIn });

export const call = <T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> =>
  explainNewToken(calls.call(answer, toApi(request, ctx), ctx), request.accessToken, ctx);
export const send = (request: Call, ctx: PlatformClient): Promise<Response> =>
  explainNewToken(calls.send(toApi(request, ctx), ctx), request.accessToken, ctx);

/**
 * The fields of a success response. LinkedIn has done what was asked, and often returns only the id, in a header: a
 * body that is empty, truncated or not JSON changes nothing.
 */
export async function fieldsOf(response: Response): Promise<{ [field: string]: Json }> {
  const text = await response.text().catch(() => '');
  return PassedOn.safeParse(parseJson(text)).data ?? {};
}

/** A value in a path or query. Rest.li reserves more characters than `encodeURIComponent` encodes. */
export const encodeKey = (value: string) =>
  encodeURIComponent(value).replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const toApi = ({ path, finder, ...request }: Call, ctx: PlatformClient): ApiRequest => ({
  ...request,
  url: `https://api.linkedin.com${path}`,
  headers: {
    'x-restli-protocol-version': '2.0.0',
    ...(path.startsWith('/rest/') && { 'linkedin-version': apiVersion(ctx) }),
    ...(finder && { 'x-restli-method': 'FINDER' }),
  },
});

/** Uploads bytes to a URL from LinkedIn. The request carries the token, which must not be sent to anyone else. */
export async function put(url: string, body: Blob, ctx: Ctx): Promise<Response> {
  const { protocol, hostname } = parseUrl(url) ?? { protocol: '', hostname: '' };
  if (protocol !== 'https:' || !/(^|\.)linkedin\.com$/.test(hostname)) {
    const message = 'LinkedIn returned an upload URL on another host. Try again later.';
    throw new PlatformError('unavailable', message, { reason: hostname });
  }
  const { accessToken } = ctx.credentials;
  const headers = { 'content-type': 'application/octet-stream' };
  return explainNewToken(calls.send({ method: 'PUT', url, accessToken, headers, body }, ctx), accessToken, ctx);
}

/** The result, or null if the connection has no permission to read it. */
export async function ifPermitted<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 403) return null;
    throw error;
  }
}

export const requestToken = (form: Readonly<Record<string, string>>, ctx: PlatformClient): Promise<Token> =>
  calls.call(Token, oauthRequest('accessToken', form, ctx), ctx);

const oauthRequest = (name: string, form: Readonly<Record<string, string>>, ctx: PlatformClient) =>
  tokenRequest({ url: `https://www.linkedin.com/oauth/v2/${name}`, application: 'form' }, form, ctx);

/** For a few seconds, until all of its servers know a new token, LinkedIn reports the token as revoked. */
async function explainNewToken<T>(work: Promise<T>, accessToken: string, ctx: PlatformClient): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isRevoked = error instanceof PlatformError && error.reason?.startsWith('REVOKED_ACCESS_TOKEN');
    if (!isRevoked || error.status !== 401 || !(await isActive(accessToken, ctx).catch(() => false))) throw error;
    const message = 'The new access token does not work on all of LinkedIn yet. Try again in a minute.';
    throw error.with({ kind: 'unavailable', message });
  }
}

const Introspection = z.object({ active: z.boolean() });

/** The introspection endpoint knows a new token before the servers that check it. */
async function isActive(token: string, ctx: PlatformClient): Promise<boolean> {
  return (await calls.call(Introspection, oauthRequest('introspectToken', { token }, ctx), ctx)).active;
}

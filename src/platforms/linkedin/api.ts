import { type output, type ZodType, z } from 'zod';
import { type Context, type PlatformClient, PlatformError, secret } from '../kit/index.ts';
import { failure, parseAnswer } from './failure.ts';
import { isActive } from './oauth.ts';

export const Credentials = z.object({
  accessToken: secret(),
  refreshToken: secret().nullable(),
  /** The company page that the connection posts as; null is the member. */
  organizationId: z.string().min(1).nullable(),
});
export type Credentials = output<typeof Credentials>;
type Ctx = Context<Credentials>;

/** Who posts, uploads and comments. */
export const authorOf = ({ account, credentials: { organizationId } }: Ctx) =>
  organizationId === null ? `urn:li:person:${account.id}` : `urn:li:organization:${organizationId}`;

/** LinkedIn retires each monthly version after a year: this one about 2027-09-15. */
const version = '202609';

export interface Call {
  method?: 'GET' | 'POST' | 'DELETE';
  /** Names in it are encoded by the caller; the brackets and commas of a list must not be. */
  path: string;
  accessToken: string;
  finder?: boolean;
  body?: Record<string, unknown>;
}

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  return parseAnswer(answer, await send(request, ctx));
}

/** For what answers in headers. */
export function send(
  { method = 'GET', path, accessToken, finder, body }: Call,
  ctx: PlatformClient,
): Promise<Response> {
  const headers = {
    accept: 'application/json',
    'x-restli-protocol-version': '2.0.0',
    ...(path.startsWith('/rest/') && { 'linkedin-version': version }),
    ...(finder && { 'x-restli-method': 'FINDER' }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return signedFetch(`https://api.linkedin.com${path}`, accessToken, init, ctx);
}

/** Puts bytes where LinkedIn wants them: the token goes along, and must not go to anybody else. */
export async function put(address: string, bytes: Blob, ctx: Ctx): Promise<Response> {
  const { protocol, hostname } = URL.parse(address) ?? { protocol: '', hostname: '' };
  if (protocol !== 'https:' || !/(^|\.)linkedin\.com$/.test(hostname)) {
    throw new PlatformError('unavailable', 'LinkedIn named a place for the upload that is not its own.', {
      reason: hostname,
    });
  }
  const headers = { 'content-type': 'application/octet-stream' };
  return signedFetch(address, ctx.credentials.accessToken, { method: 'PUT', headers, body: bytes }, ctx);
}

/** What was read, or null where the connection has no permission to read it. */
export async function ifPermitted<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 403) return null;
    throw error;
  }
}

async function signedFetch(
  address: string,
  accessToken: string,
  init: RequestInit & { headers: Record<string, string> },
  ctx: PlatformClient,
): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${accessToken}` };
  const response = await ctx.fetch(address, { ...init, headers });
  if (response.ok) return response;
  const refused = await failure(response, { now: ctx.now(), secrets: [accessToken] });
  throw (await isTooNew(refused, accessToken, ctx)) ? tooNew(refused) : refused;
}

/** For some seconds a fresh token is said to be revoked, until all servers have heard of it. */
async function isTooNew({ status, reason }: PlatformError, accessToken: string, ctx: PlatformClient): Promise<boolean> {
  if (status !== 401 || !reason?.startsWith('REVOKED_ACCESS_TOKEN')) return false;
  return isActive(accessToken, ctx).catch(() => false);
}

const tooNew = ({ status, reason }: PlatformError) =>
  new PlatformError('unavailable', 'LinkedIn does not know the new access token everywhere yet.', {
    status: status ?? undefined,
    reason: reason ?? undefined,
    mayHaveHappened: false,
  });

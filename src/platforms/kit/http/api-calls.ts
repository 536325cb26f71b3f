import type { output, ZodType } from 'zod';
import { redact } from '../../../foundation/lib/redact.ts';
import type { PlatformClient, PlatformRequestInit } from '../context.ts';
import { PlatformError } from '../failure.ts';
import { messages } from '../messages.ts';

/** How to call a vendor's API and read its errors. */
export interface VendorApi {
  /** The display name. */
  readonly name: string;
  /**
   * The failure that a response reports, or null. Called for every response, because some vendors report failures with
   * a success status. `body` is null if the response is not JSON.
   */
  failureIn(response: Response, body: unknown, call: FailedCall): PlatformError | null;
  /** For vendors whose bodies need more than `JSON.parse`. */
  parseJson?(text: string): unknown;
  /** For vendors whose servers anyone can run. */
  readonly maxAnswerBytes?: number;
}

export interface FailedCall {
  readonly now: Date;
  /** Must not appear in an error, even if the response repeats the request. */
  readonly secrets: readonly string[];
}

export interface ApiRequest {
  /** Default: POST with a body, else GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string | URL;
  /** A list is sent as a repeated parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent as `Authorization: Bearer`, and redacted. */
  readonly accessToken?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain object is sent as JSON, everything else unchanged. */
  readonly body?: Blob | FormData | URLSearchParams | Readonly<Record<string, unknown>> | undefined;
  readonly secrets?: readonly string[];
  /** Statuses other than 2xx that the caller handles. */
  readonly expected?: readonly number[];
  readonly redirect?: 'manual';
  /** Aborts only this request. */
  readonly signal?: AbortSignal;
  /** For a response that may be larger than the vendor's others. */
  readonly maxAnswerBytes?: number;
}

type Client = Pick<PlatformClient, 'fetch' | 'now'>;

/** The ways to call a vendor: `call` for a JSON response, `send` and `read` to inspect its headers or status. */
export function apiCalls(api: VendorApi) {
  const parse = api.parseJson ?? parseJson;

  /** Throws the vendor's failure unless the status is 2xx or expected. */
  async function send(request: ApiRequest, ctx: Client): Promise<Response> {
    const response = await ctx.fetch(urlOf(request), initOf(request, api));
    if (isAnswer(response, request)) return response;
    throw failureOf(response, parse(await bodyText(response)), request, ctx);
  }

  async function call<T extends ZodType>(answer: T, request: ApiRequest, ctx: Client): Promise<output<T>> {
    const response = await ctx.fetch(urlOf(request), initOf(request, api));
    const body = parse(await bodyText(response));
    const secrets = secretsIn(request);
    if (!isAnswer(response, request)) throw failureOf(response, body, request, ctx);
    const failure = response.ok ? api.failureIn(response, body, { now: ctx.now(), secrets }) : null;
    if (failure) throw failure;
    return readAnswer(answer, body, response.status, api.name, secrets);
  }

  /** The body of a response that `send` returned. */
  async function read<T extends ZodType>(answer: T, response: Response): Promise<output<T>> {
    return readAnswer(answer, parse(await bodyText(response)), response.status, api.name);
  }

  function failureOf(response: Response, body: unknown, request: ApiRequest, ctx: Client): PlatformError {
    const secrets = secretsIn(request);
    const failure = api.failureIn(response, body, { now: ctx.now(), secrets });
    return failure ?? new PlatformError('rejected', messages.refused(api.name), { status: response.status });
  }

  return { call, send, read };
}

/** Parses a vendor's response. An unknown shape fails as `unavailable`, with the invalid fields. */
export function readAnswer<T extends ZodType>(
  answer: T,
  body: unknown,
  status: number,
  name: string,
  secrets: readonly string[] = [],
): output<T> {
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, maxNamedFields).map(({ path }) => path.join('.'));
  const named = fields.filter(Boolean).join(', ');
  const wrong = named ? `missing or not as documented: ${named}` : 'not the documented JSON';
  const reason = redact(`The response is unreadable: ${wrong}.`, secrets);
  throw new PlatformError('unavailable', messages.unreadable(name), { status, reason });
}

/** Every item of a list may be invalid. The first ones show why. */
const maxNamedFields = 10;

/** Null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The status of a refusal has already arrived, so a truncated body changes nothing. */
export const bodyText = (response: Response): Promise<string> =>
  response.text().catch((error) => (response.ok ? Promise.reject(error) : ''));

/** "503 Service Unavailable", for when the vendor gave no reason. */
export const statusLine = ({ status, statusText }: Response) => `${status} ${statusText}`.trim();

/**
 * Seconds until a rate limit resets. Both times come from the vendor, so its clock and ours need not agree. Null if the
 * headers do not say.
 */
export function secondsToReset(reset: Date | null, headers: Headers): number | null {
  const seconds = Math.ceil(((reset?.getTime() ?? Number.NaN) - Date.parse(headers.get('date') ?? '')) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(1, seconds);
}

/** A header that holds a number of seconds, such as `Retry-After`. Null if it does not, or if the time has passed. */
export function secondsIn(header: string, headers: Headers): number | null {
  const seconds = Number(headers.get(header) ?? Number.NaN);
  return seconds > 0 && Number.isFinite(seconds) ? Math.ceil(seconds) : null;
}

const isAnswer = ({ ok, status }: Response, { expected = [] }: ApiRequest) => ok || expected.includes(status);

function urlOf({ url, query }: ApiRequest): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) address.searchParams.append(name, one);
  }
  return address;
}

function initOf(request: ApiRequest, api: VendorApi): PlatformRequestInit {
  const { method, accessToken, headers, body, redirect, signal } = request;
  const maxAnswerBytes = request.maxAnswerBytes ?? api.maxAnswerBytes;
  const isRaw = body instanceof Blob || body instanceof FormData || body instanceof URLSearchParams;
  return {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      accept: 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(body && !isRaw && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: isRaw ? body : JSON.stringify(body) }),
    ...(redirect && { redirect }),
    ...(signal && { signal }),
    ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
  };
}

const secretsIn = ({ accessToken, secrets = [] }: ApiRequest) =>
  accessToken === undefined ? secrets : [...secrets, accessToken];

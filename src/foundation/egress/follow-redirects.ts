import type { Dispatcher } from 'undici';
import { checkUrl, type Exceptions } from './check-url.ts';
import { EgressError, explain } from './egress-error.ts';
import { isRedirect, nextHop } from './redirect.ts';
import { requestBody } from './request-body.ts';
import { type BodyLimits, discard, limitedBody } from './response-body.ts';
import { type Hop, type RawResponse, sendRequest } from './send-request.ts';

export interface EgressRequest {
  /** Default: GET. */
  method?: string | undefined;
  headers?: RequestInit['headers'];
  body?: RequestInit['body'];
  signal?: AbortSignal | null | undefined;
  /** Whether the URL may use a port other than 443. Redirects may not. Default: no. */
  anyPort?: boolean | undefined;
  /** Maximum number of redirects. With 0 a redirect is returned like any other response. Default: 5. */
  redirects?: number | undefined;
  /** For lookup, connection, redirects and the whole body together. Default: 30 s. */
  timeoutMs?: number | undefined;
  /** Maximum size of the body, on the wire and decoded. Reading more fails. Default: 10 MB. */
  maxBytes?: number | undefined;
  /** Maximum size of a compressed body on the wire, which may decode to nothing. Default: `maxBytes`. */
  maxEncodedBytes?: number | undefined;
}

/** Sends a request and follows redirects itself, so that every hop is checked. */
export async function followRedirects(
  dispatcher: Dispatcher,
  exceptions: Exceptions,
  given: string | URL,
  options: EgressRequest = {},
): Promise<Response> {
  const { anyPort = false, redirects = 5, timeoutMs = 30_000, maxBytes = 10_000_000, signal } = options;
  const { maxEncodedBytes = maxBytes } = options;
  const outgoing = outgoingFrom(options);
  const progress = { host: 'The address', sent: false };
  const limit = timeoutSignal(
    timeoutMs,
    signal,
    () => new EgressError('timeout', `${progress.host} took longer than ${timeoutMs / 1000} s.`, progress),
  );
  const onSend = () => {
    progress.sent = true;
  };
  const explained = (error: unknown) =>
    limit.signal.aborted ? limit.signal.reason : explain(error, progress.host, progress.sent);

  try {
    let hop: Hop = { url: checkUrl(given, exceptions, { anyPort }), ...outgoing };
    for (let followed = 0; ; followed++) {
      progress.host = hop.url.host;
      const answer = await sendRequest(dispatcher, hop, limit.signal, onSend);
      if (redirects === 0 || !isRedirect(answer.status)) {
        answer.ended.then(limit.end);
        const limits = { maxBytes, maxEncodedBytes, host: progress.host, explain: explained };
        return responseFrom(answer, hop, followed > 0, limits);
      }
      discard(answer.body);
      if (followed === redirects) {
        throw new EgressError('too_many_redirects', `There were more than ${redirects} redirects.`);
      }
      hop = nextHop(hop, answer, exceptions);
    }
  } catch (error) {
    limit.end();
    throw explained(error);
  }
}

/** A signal that aborts with the caller's signal or after the timeout, whichever comes first. */
function timeoutSignal(timeoutMs: number, signal: AbortSignal | null | undefined, timeout: () => Error) {
  const limit = new AbortController();
  const onAbort = () => limit.abort(signal?.reason);
  const timer = setTimeout(() => limit.abort(timeout()), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    signal: limit.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Invalid arguments, such as a line break in a header, throw a TypeError, as they do with `fetch`. */
function outgoingFrom({ method = 'GET', headers: given, body }: EgressRequest): Omit<Hop, 'url'> {
  if (/^(connect|trace|track)$/i.test(method)) throw new TypeError(`${method} cannot be sent.`);
  const headers = new Headers(given);
  const content = body === undefined || body === null ? null : requestBody(body);
  for (const name of connectionHeaders) headers.delete(name);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  if (!headers.has('user-agent')) headers.set('user-agent', 'Crier');
  if (content?.type && !headers.has('content-type')) headers.set('content-type', content.type);
  if (content?.length) headers.set('content-length', String(content.length));
  // Without compression there are no decompression bombs.
  headers.set('accept-encoding', 'identity');
  return { method: method.toUpperCase(), headers, content };
}

/** These belong to the connection. `host` would even decide which certificate is requested. */
const connectionHeaders = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
];

function responseFrom(answer: RawResponse, hop: Hop, redirected: boolean, limits: BodyLimits) {
  const { status, statusText, headers } = answer;
  if (status > 599) {
    discard(answer.body);
    throw new EgressError('failed', `${limits.host} responded with the invalid status ${status}.`);
  }
  // A response without a body ends by itself, and its connection can be reused.
  const hasBody = hop.method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (status === 205) discard(answer.body);
  const body = hasBody ? limitedBody(answer.body, headers, limits) : null;
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperties(response, { url: { value: hop.url.href }, redirected: { value: redirected } });
}

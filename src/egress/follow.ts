import type { Dispatcher } from 'undici';
import { type BodyLimits, discard, limitedBody } from './answer-body.ts';
import { checkUrl, type Exceptions } from './check-url.ts';
import { contentOf } from './content.ts';
import { EgressError, explain } from './egress-error.ts';
import { type Answer, exchange, type Hop } from './exchange.ts';
import { isRedirect, nextHop } from './redirect.ts';
import { timeLimit } from './time-limit.ts';

export interface EgressRequest {
  /** Default: GET. */
  method?: string | undefined;
  headers?: RequestInit['headers'];
  body?: RequestInit['body'];
  signal?: AbortSignal | null | undefined;
  /** How many redirects are followed. With 0 a redirect is an answer like any other. Default: 5. */
  redirects?: number | undefined;
  /** For everything: look-up, connection, redirects, and the body to its end. Default: 30 s. */
  timeoutMs?: number | undefined;
  /** Of the answer's body, on the wire and decoded; reading more than that fails. Default: 10 MB. */
  maxBytes?: number | undefined;
}

/** From the address given to the answer at the end of its redirects. */
export async function follow(
  dispatcher: Dispatcher,
  exceptions: Exceptions,
  given: string | URL,
  options: EgressRequest = {},
): Promise<Response> {
  const { redirects = 5, timeoutMs = 30_000, maxBytes = 10_000_000, signal } = options;
  const outgoing = outgoingFrom(options);
  const progress = { host: 'The address', sent: false };
  const limit = timeLimit(
    timeoutMs,
    signal,
    () => new EgressError('timeout', `${progress.host} took longer than ${timeoutMs / 1000} s.`, progress),
  );
  const onSend = () => {
    progress.sent = true;
  };
  const inOurWords = (error: unknown) =>
    limit.signal.aborted ? limit.signal.reason : explain(error, progress.host, progress.sent);

  try {
    let hop: Hop = { url: checkUrl(given, exceptions), ...outgoing };
    for (let followed = 0; ; followed++) {
      progress.host = hop.url.host;
      const answer = await exchange(dispatcher, hop, limit.signal, onSend);
      if (redirects === 0 || !isRedirect(answer.status)) {
        answer.ended.then(limit.end);
        const limits = { maxBytes, host: progress.host, explain: inOurWords };
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
    throw inOurWords(error);
  }
}

/** Mistakes of the caller, such as a line break in a header, are a TypeError here, as with `fetch`. */
function outgoingFrom({ method = 'GET', headers: given, body }: EgressRequest): Omit<Hop, 'url'> {
  if (/^(connect|trace|track)$/i.test(method)) throw new TypeError(`${method} cannot be sent.`);
  const headers = new Headers(given);
  const content = body === undefined || body === null ? null : contentOf(body);
  for (const name of notForCallers) headers.delete(name);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  if (!headers.has('user-agent')) headers.set('user-agent', 'Crier');
  if (content?.type && !headers.has('content-type')) headers.set('content-type', content.type);
  if (content?.length) headers.set('content-length', String(content.length));
  // What is not packed cannot be a bomb.
  headers.set('accept-encoding', 'identity');
  return { method: method.toUpperCase(), headers, content };
}

/** They belong to the connection; `host` would even choose whose certificate is asked for. */
const notForCallers = [
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

function responseFrom(answer: Answer, hop: Hop, redirected: boolean, limits: BodyLimits) {
  const { status, statusText, headers } = answer;
  if (status > 599) {
    discard(answer.body);
    throw new EgressError('failed', `${limits.host} answered with the status ${status}, which does not exist.`);
  }
  const hasBody = hop.method !== 'HEAD' && ![204, 205, 304].includes(status);
  if (!hasBody) discard(answer.body);
  const body = hasBody ? limitedBody(answer.body, headers, limits) : null;
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperties(response, { url: { value: hop.url.href }, redirected: { value: redirected } });
}

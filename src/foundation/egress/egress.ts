import { Agent, type Dispatcher } from 'undici';
import { type Exceptions, exceptionsFrom } from './check-url.ts';
import { type ConnectOptions, guardedConnect } from './connect.ts';
import { EgressError } from './egress-error.ts';
import { type EgressRequest, followRedirects } from './follow-redirects.ts';
import { isRedirect } from './redirect.ts';
import { discard } from './response-body.ts';

/** The only client for URLs that a user can influence. */
export interface Egress {
  /** Fails with EgressError or with the abort reason of the caller's signal. So does reading the body. */
  request(url: string | URL, options?: EgressRequest): Promise<Response>;
  /** The same, with the signature of the standard `fetch`. */
  readonly fetch: typeof fetch;
  /** Aborts all running requests. */
  close(): Promise<void>;
}

/** `allow` lists exceptions as `host:port`. They may use http, any port and private addresses. */
export function createEgress({ allow, ...options }: { allow: readonly string[] } & ConnectOptions): Egress {
  const exceptions = exceptionsFrom(allow);
  const connect = guardedConnect(exceptions, options);
  // Connections are pooled by scheme, host name and port, never by address: each was checked for its own host name.
  return egressOver(new Agent({ connect, allowH2: false, keepAliveMaxTimeout: 30_000 }), exceptions);
}

/** `dispatcher` opens the connections and checks their addresses. */
export function egressOver(dispatcher: Dispatcher, exceptions: Exceptions): Egress {
  return {
    request: (url, options) => followRedirects(dispatcher, exceptions, url, options),
    fetch: standardFetch((url, options) => followRedirects(dispatcher, exceptions, url, options)),
    close: () => dispatcher.destroy(),
  };
}

/** An upper bound. Callers of `fetch` pass a signal with a shorter limit; a video upload may take long. */
const fetchTimeoutMs = 3_600_000;

function standardFetch(request: Egress['request']): Egress['fetch'] {
  return async (input, init) => {
    const given = input instanceof Request ? input : null;
    const redirect = init?.redirect ?? given?.redirect ?? 'follow';
    const response = await request(given?.url ?? String(input), {
      method: init?.method ?? given?.method,
      headers: init?.headers ?? given?.headers,
      body: init?.body ?? given?.body,
      signal: init?.signal ?? given?.signal,
      redirects: redirect === 'follow' ? undefined : 0,
      timeoutMs: fetchTimeoutMs,
    });
    if (redirect !== 'error' || !isRedirect(response.status)) return response;
    if (response.body) discard(response.body);
    throw new EgressError('redirect', `${new URL(response.url).host} redirected.`, { sent: true });
  };
}

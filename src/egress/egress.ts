import { Agent, type Dispatcher } from 'undici';
import { discard } from './answer-body.ts';
import { type Exceptions, exceptionsFrom } from './check-url.ts';
import { type ConnectOptions, guardedConnect } from './connect.ts';
import { EgressError } from './egress-error.ts';
import { type EgressRequest, follow } from './follow.ts';
import { isRedirect } from './redirect.ts';

/** The one way to an address that a user can influence. */
export interface Egress {
  /** Fails with EgressError, or with the reason of the caller's own signal; so does reading the answer's body. */
  request(url: string | URL, options?: EgressRequest): Promise<Response>;
  /** The same behind the standard function, for code that expects it. */
  readonly fetch: typeof fetch;
  /** Breaks off whatever still runs. */
  close(): Promise<void>;
}

/** `allow` lists exceptions as `host:port`: there http, the port and private addresses are fine. */
export function createEgress({ allow, ...options }: { allow: readonly string[] } & ConnectOptions): Egress {
  const exceptions = exceptionsFrom(allow);
  const connect = guardedConnect(exceptions, options);
  // Connections are kept per scheme, host name and port, never per address: each was judged for the name it serves.
  return egressOver(new Agent({ connect, allowH2: false, keepAliveMaxTimeout: 30_000 }), exceptions);
}

/** `dispatcher` opens the connections, and is where their addresses are judged. */
export function egressOver(dispatcher: Dispatcher, exceptions: Exceptions): Egress {
  return {
    request: (url, options) => follow(dispatcher, exceptions, url, options),
    fetch: standardFetch((url, options) => follow(dispatcher, exceptions, url, options)),
    close: () => dispatcher.destroy(),
  };
}

/** A ceiling: callers of `fetch` bring a signal with a limit of their own, and may upload a video. */
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

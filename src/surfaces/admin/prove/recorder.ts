import type { Json } from '../../../foundation/lib/json.ts';
import type { PlatformAccess } from '../../../platforms/kit/http/client.ts';
import { redactedBody, redactedHeaders, redactedUrl } from './redaction.ts';
import type { Exchange } from './transcript.ts';

export interface Recorder {
  /** Use this instead of the access that is being recorded. */
  readonly access: PlatformAccess;
  readonly exchanges: Exchange[];
  /** The check that the next exchanges belong to. Cancels a pending `loseAnswer`. */
  begin(check: string): void;
  /** Drops the response to the next request that matches: it is recorded, but does not reach the caller. */
  loseAnswer(to: (call: Call) => boolean): void;
}

export type Call = Pick<Exchange, 'method' | 'url'>;

/** Records the exchanges with the network. `sandboxUrl` is null for the real network. */
export function recorder(access: PlatformAccess, sandboxUrl: string | null, secrets: readonly string[]): Recorder {
  const exchanges: Exchange[] = [];
  let check = '';
  let isToBeLost: ((call: Call) => boolean) | null = null;

  const fetchAndRecord: typeof fetch = async (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    const url = redactedUrl(vendorUrl(new URL(request?.url ?? String(input)), sandboxUrl), secrets);
    const headers = redactedHeaders(new Headers(init?.headers ?? request?.headers), secrets);
    const sent = { headers, body: await redactedBody(init?.body ?? null, secrets) };
    const exchange: Exchange = { check, method, url, request: sent, response: null, isLost: false };
    exchanges.push(exchange);
    const response = await access.fetch(input, init);
    exchange.response = {
      status: response.status,
      headers: redactedHeaders(response.headers, secrets),
      body: await answerIn(response, secrets),
    };
    if (!isToBeLost?.(exchange)) return response;
    isToBeLost = null;
    exchange.isLost = true;
    await response.body?.cancel();
    throw new TypeError('fetch failed', { cause: new Error('The response was lost on purpose.') });
  };

  return {
    access: { ...access, fetch: fetchAndRecord },
    exchanges,
    begin(name) {
      check = name;
      isToBeLost = null;
    },
    loseAnswer(to) {
      isToBeLost = to;
    },
  };
}

/** The sandbox serves a network's host under a path with the host's name. */
function vendorUrl(url: URL, sandboxUrl: string | null): URL {
  if (sandboxUrl === null || !url.href.startsWith(`${sandboxUrl}/`)) return url;
  return new URL(`https://${url.href.slice(sandboxUrl.length + 1)}`);
}

const maxAnswer = 200_000;

async function answerIn(response: Response, secrets: readonly string[]): Promise<Json> {
  const type = response.headers.get('content-type') ?? '';
  const length = Number(response.headers.get('content-length') ?? 0);
  if (!/json|text|form/.test(type) || length > maxAnswer) return type === '' ? null : `(${type})`;
  return redactedBody(await response.clone().text(), secrets);
}

import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { certificateFor } from './certificate.ts';
import { serveCounted } from './egress.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = number | ((response: ServerResponse, received: Received) => void | Promise<void>);

/** A receiver with TLS on this machine. A service reaches it with `egress` and `environment`. */
export async function openReceiver() {
  const name = 'receiver.example';
  const tls = certificateFor(name);
  const all: Received[] = [];
  const answers = new Map<string, Answer>();
  const server = await serveCounted(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const received = { path: request.url ?? '', headers: request.headers, body };
    all.push(received);
    const answer = answers.get(received.path) ?? 200;
    if (typeof answer !== 'number') return answer(response, received);
    response.writeHead(answer).end(`answer ${answer}`);
  }, tls);
  const place = `${name}:${server.port}`;
  return {
    url: (path: string) => `https://${place}${path}`,
    received: (path?: string) => all.filter((each) => path === undefined || each.path === path),
    /** Sets the response to later requests to a path. Default: 200. */
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    environment: { EGRESS_ALLOW: place },
    /** Resolves every host name to this server. */
    egress: { ca: tls.cert, lookup: async () => ['127.0.0.1'] },
    close: () => server[Symbol.asyncDispose](),
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/**
 * Verifies as a receiver would at this time: the contract's header by hand, the others with the Standard Webhooks
 * library, which also rejects deliveries older than five minutes.
 */
export function isSignedWith(secret: string, { headers, body }: Received, now: Date): boolean {
  if (headers['x-service-signature'] !== createHmac('sha256', secret).update(body).digest('hex')) return false;
  vi.setSystemTime(now);
  try {
    new Webhook(secret, { format: 'raw' }).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

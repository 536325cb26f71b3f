import type { IncomingMessage, ServerResponse } from 'node:http';
import { flatWebp } from '../support/files/bombs.ts';
import { serve } from '../support/servers/local.ts';
import type { Tenant } from './tenants.ts';

export interface Receiver {
  readonly url: string;
  /** Requests that reached one tenant's address although they belong to another. */
  leaks(tenants: readonly Tenant[]): string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const files = [flatWebp(800, 600), flatWebp(12_000, 12_000), Buffer.from('<svg/>'), Buffer.alloc(100_000, 3)];

/** Serves files for media URLs, and receives webhooks. The first path segment is the name of the tenant. */
export async function openReceiver(): Promise<Receiver> {
  const received = new Map<string, string[]>();
  const server = await serve((request, response) => {
    const name = request.url?.split('/')[1] ?? '';
    if (request.method === 'GET') return answer(request, response);
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      received.set(name, [...(received.get(name) ?? []).slice(-500), body]);
      response.end();
    });
  });
  return {
    url: server.url,
    leaks: (tenants) =>
      tenants.flatMap(({ name }) =>
        tenants
          .filter((other) => other.name !== name && received.get(name)?.some((body) => body.includes(other.mark)))
          .map((other) => `a webhook of ${name} received what belongs to ${other.name}`),
      ),
    [Symbol.asyncDispose]: server.close,
  };
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse) {
  const draw = [...url].reduce((sum, char) => sum + char.charCodeAt(0), 0);
  if (draw % 7 === 0) return response.writeHead(302, { location: 'https://10.0.0.1/inside' }).end();
  if (draw % 11 === 0) return response.writeHead(404).end('none');
  if (draw % 13 === 0) return response.destroy();
  response.writeHead(200, { 'content-type': 'image/webp' }).end(files[draw % files.length]);
}

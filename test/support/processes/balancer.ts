import { type RequestListener, request as send } from 'node:http';
import { serve } from '../servers/local.ts';

/** Distributes requests round-robin over several processes. */
export interface Balancer {
  readonly url: string;
  /** The ports that get requests. Remove a process before stopping it. */
  readonly ports: Set<number>;
  /** The number of requests to each port. */
  served(): number[];
  close(): Promise<void>;
}

export async function openBalancer(): Promise<Balancer> {
  const ports = new Set<number>();
  const counts = new Map<number, number>();
  let turn = 0;
  const { url, close } = await serve((request, response) => {
    turn += 1;
    const port = [...ports][turn % ports.size]!;
    counts.set(port, (counts.get(port) ?? 0) + 1);
    forward(port)(request, response);
  });
  return { url, ports, close, served: () => [...counts.values()] };
}

/** Forwards a request to a port of this machine, with these additional headers. */
export const forward =
  (port: number, more: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    const { method, url: path } = request;
    const headers = { ...request.headers, ...more };
    const onwards = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      // Keep-alive is hop-by-hop: the client must not rely on the upstream's timeout.
      const { connection: _, 'keep-alive': __, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, passed);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  };

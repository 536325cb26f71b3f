import { type RequestListener, request as send } from 'node:http';
import { serve } from '../servers/local.ts';

/** Gives each of several processes every second, third, … request. */
export interface Balancer {
  readonly url: string;
  /** The ports that get requests. A process is taken out before it is stopped. */
  readonly ports: Set<number>;
  /** How many requests each port has got. */
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

/** Passes a request on to a port of this machine, with these headers beside its own. */
export const forward =
  (port: number, more: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    const { method, url: path } = request;
    const headers = { ...request.headers, ...more };
    const onwards = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      // How long a connection is kept is a matter between two neighbours: the client must not count on the other one's time.
      const { connection: _, 'keep-alive': __, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, passed);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  };

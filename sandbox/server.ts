import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createControl } from './control/index.ts';
import { createFaults } from './faults.ts';
import { networks } from './networks/index.ts';
import { createPages } from './pages/index.ts';
import { createRequestLog } from './request-log.ts';
import { createRouter } from './router.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import { send } from './send.ts';
import { serveNetwork } from './serve-network.ts';
import { openStore } from './store/index.ts';

export interface StartOptions extends Partial<SandboxOptions> {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host?: string;
  /** Where everything is kept; null keeps nothing beyond `close`. */
  readonly folder: string | null;
  /** Tests move the clock. */
  readonly now?: () => number;
}

export interface RunningSandbox {
  readonly url: string;
  close(): Promise<void>;
}

/** All networks on one port: `http://<host>:<port>/<real host name>/<path>`. */
export async function startSandbox(options: StartOptions): Promise<RunningSandbox> {
  const { port, host = '127.0.0.1', folder, now = Date.now, rateLimits = 'off', processingMs = 300 } = options;
  const store = openStore(folder, now);
  const sandbox: Sandbox = {
    networks,
    store,
    faults: createFaults(),
    requests: createRequestLog(),
    options: { rateLimits, processingMs },
    now,
  };
  const router = createRouter(networks);
  const control = createControl(sandbox);
  const pages = createPages(sandbox);

  // A connection that closes by itself while a client reuses it looks like a fault nobody asked for: keep it long.
  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, async (request, response) => {
    const address = request.url ?? '/';
    // Clients reckon with it, for example when a rate limit ends.
    response.setHeader('date', new Date(now()).toUTCString());
    try {
      if (address.startsWith('/_control/')) {
        const answer = await control(request);
        await store.settled();
        await send(request, response, answer);
      } else {
        const page = pages(request);
        if (page) await send(request, response, page);
        else await serveNetwork(sandbox, router, request, response);
      }
    } catch (error) {
      if (!request.destroyed || !response.destroyed) console.error(error);
      response.destroy();
    }
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      store.close();
      reject(error);
    });
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}

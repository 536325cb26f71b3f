import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createControl } from './control/index.ts';
import { createFaults } from './faults.ts';
import { createRequestLog } from './http/request-log.ts';
import { createRouter } from './http/router.ts';
import { sendResponse } from './http/send-response.ts';
import { createPages } from './pages/index.ts';
import type { Sandbox, SandboxOptions } from './platform.ts';
import { platforms } from './platforms/index.ts';
import { servePlatform } from './serve-platform.ts';
import { openStore } from './store/index.ts';
import { createSwitches } from './switches.ts';

export interface StartOptions extends Partial<SandboxOptions> {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host?: string;
  /** Holds the database and the uploaded files. Null keeps nothing after `close`. */
  readonly folder: string | null;
  readonly now?: () => number;
  /** Posts and files are deleted after this many days. Null keeps them. */
  readonly keepDays?: number | null;
}

export interface RunningSandbox {
  readonly url: string;
  /** Every token and secret it has issued, for tests that search for leaks. */
  secrets(): string[];
  close(): Promise<void>;
}

/** Serves all platforms on one port: `http://<host>:<port>/<real host name>/<path>`. */
export async function startSandbox(options: StartOptions): Promise<RunningSandbox> {
  const { port, host = '127.0.0.1', folder, now = Date.now } = options;
  const { keepDays = null, rateLimits = 'off', processingMs = 300, recordBodies = false } = options;
  const store = openStore(folder, now);
  const sandbox: Sandbox = {
    platforms,
    store,
    faults: createFaults(),
    switches: createSwitches(),
    requests: createRequestLog(),
    options: { rateLimits, processingMs, recordBodies },
    now,
  };
  const pruning = keepDays === null ? undefined : pruneRegularly(() => store.prune(now() - keepDays * dayMs));
  const router = createRouter(platforms);
  const control = createControl(sandbox);
  const pages = createPages(sandbox);

  // A keep-alive connection that closes while a client reuses it looks like an injected fault, so it stays open long.
  const server = createServer({ keepAliveTimeout: 120_000, requestTimeout: 0 }, async (request, connection) => {
    if ((request.headersDistinct.host ?? []).length > 1) return void connection.writeHead(400).end();
    const address = request.url ?? '/';
    // Clients compare the date with the time at which a rate limit ends, so it follows the sandbox clock.
    connection.setHeader('date', new Date(now()).toUTCString());
    try {
      if (/^\/_control(?![^/?])/.test(address)) {
        const response = await control(request);
        await store.committed();
        await sendResponse(request, connection, response);
      } else {
        const page = pages(request);
        if (page) await sendResponse(request, connection, page);
        else await servePlatform(sandbox, router, request, connection);
      }
    } catch (error) {
      if (!request.destroyed || !connection.destroyed) console.error(error);
      connection.destroy();
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
    secrets: store.secrets,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      clearInterval(pruning);
      store.close();
    },
  };
}

const dayMs = 86_400_000;
const pruneEveryMs = 60_000;

/** Prunes a little each time, because it blocks all requests meanwhile. */
function pruneRegularly(prune: () => void): NodeJS.Timeout {
  prune();
  return setInterval(prune, pruneEveryMs).unref();
}

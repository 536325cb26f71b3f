import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlatformAccess } from '../../../src/platforms/kit/http/client.ts';

/** A test server to which the URLs of every network lead, by path. `await using` closes it. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    url,
    access: (timeoutMs = 5000): PlatformAccess => ({
      fetch: globalThis.fetch,
      route: ({ pathname, search }) => new URL(url + pathname + search),
      timeoutMs,
      now: () => new Date(),
      applications: {},
    }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

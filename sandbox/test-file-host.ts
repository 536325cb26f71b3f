import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves files over HTTP until the test ends. The returned function adds a file and returns its URL. */
export async function startFileHost() {
  const files: Buffer[] = [];
  const server = createServer((request, response) => {
    const bytes = files[Number(request.url?.slice(1))];
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (bytes: Buffer): string => `http://127.0.0.1:${port}/${files.push(bytes) - 1}`;
}

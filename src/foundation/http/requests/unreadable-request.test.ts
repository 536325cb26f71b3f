import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { buildHealthServer } from '../../../surfaces/health/routes.ts';

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await testService();
  url = await service.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => service.close());

/** The response to a request with these header lines. */
async function answerTo(server: string, path: string, ...headers: string[]): Promise<string> {
  const { port, hostname } = new URL(server);
  const socket = connect(Number(port), hostname);
  socket.write([`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

test.each(['/', '/api/v1/list-posts', '/no/such/page', '/docs'])('two Host headers are refused at %s', async (path) => {
  const both = ['Host: crier.test', 'x-a: host', 'HOST: evil.example'];
  const answer = await answerTo(url, path, ...both);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('The request has more than one Host header');
  expect(await answerTo(url, path, both[0]!, both[1]!)).not.toMatch(/^HTTP\/1\.1 400 /);
});

test('two equal Host headers are refused as well, and no Host header', async () => {
  expect(await answerTo(url, '/healthz', 'Host: crier.test', 'Host: crier.test')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await answerTo(url, '/healthz')).toMatch(/^HTTP\/1\.1 400 /);
});

test('a process without the role api refuses them too', async () => {
  const worker = await buildHealthServer(service.app);
  onTestFinished(() => worker.close());
  const at = await worker.listen({ port: 0, host: '127.0.0.1' });
  expect(await answerTo(at, '/healthz', 'Host: a', 'Host: b')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await answerTo(at, '/healthz', 'Host: a')).not.toMatch(/^HTTP\/1\.1 400 /);
});

test('the sandbox refuses them too', async () => {
  expect(await answerTo(service.sandbox.url, '/', 'Host: a', 'Host: b')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await answerTo(service.sandbox.url, '/', 'Host: a')).not.toMatch(/^HTTP\/1\.1 400 /);
});

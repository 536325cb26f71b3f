import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../test/support/servers/local.ts';
import { localName } from './local-name.ts';

test.each(['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'])(
  'people open a service on %s as localhost, because passkeys need a domain name',
  async (host) => expect(await localName(host, 1)).toBe('localhost'),
);

test.each([
  ['10.0.0.7', '10.0.0.7'],
  ['fd00::7', '[fd00::7]'],
  ['crier.internal', 'crier.internal'],
])('people open a service on %s as %s', async (host, name) => expect(await localName(host, 1)).toBe(name));

test('a name that leads to another program is not used', async () => {
  const other = await serve(() => {});
  onTestFinished(() => other.close());
  expect(await localName('::1', Number(new URL(other.url).port))).toBe('[::1]');
});

test('the name works although only 127.0.0.1 listens', async () => {
  const server = createServer((_, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://${await localName('127.0.0.1', port)}:${port}/`);
  expect(await answer.text()).toBe('here');
});

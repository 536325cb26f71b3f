import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('a free port is chosen once: what shall listen on it may not do so yet', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort(0, '127.0.0.1', 'PORT')));
  expect(new Set(ports).size).toBe(200);
});

test('a port that is asked for is given as often as it is asked for', async () => {
  const port = await freePort(0, '127.0.0.1', 'PORT');
  expect(await freePort(port, '127.0.0.1', 'PORT')).toBe(port);
});

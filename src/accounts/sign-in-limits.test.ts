import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp, testClock, testServer } from '../../test/support/app.ts';
import { contractBody } from '../../test/support/contract-body.ts';
import type { Server } from '../http/fastify.ts';
import { sessionRoutes } from './session-routes.ts';

const clock = testClock();
let ours: TestApp;
let server: Server;
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, sessionRoutes);
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

const signIn = (email: string, password: string, remoteAddress = '192.0.2.1') =>
  server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload: { email, password }, remoteAddress });

const tooMany = {
  error: 'Too many attempts. Try again in a minute.',
  retryAfterSec: 60,
};

test('after 10 wrong passwords in a minute an e-mail is blocked for a while, from every IP address', async () => {
  const guesses = Array.from({ length: 15 }, (_, at) => signIn('victim@example.com', 'guess it', `192.0.2.${at}`));
  const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  const next = await signIn('Victim@example.com', 'guess it', '192.0.2.99');
  expect([next.statusCode, contractBody(next.json()), next.headers['retry-after']]).toEqual([429, tooMany, '60']);
  clock.advance({ seconds: 60 });
  expect((await signIn('victim@example.com', 'guess it')).statusCode).toBe(401);
});

test('after 30 attempts in a minute an IP address is blocked for a while, for every e-mail', async () => {
  const address = '198.51.100.7';
  const guesses = Array.from({ length: 30 }, () => signIn('other@example.com', 'guess it', address));
  await Promise.all(guesses);
  const next = await signIn('third@example.com', 'guess it', address);
  expect([next.statusCode, contractBody(next.json())]).toEqual([429, tooMany]);
  expect((await signIn('third@example.com', 'guess it', '198.51.100.8')).statusCode).toBe(401);
});

test('correct passwords do not count', async () => {
  const person = { email: 'busy@example.com', password: 'correct horse battery' };
  await server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload: person, remoteAddress: '203.0.113.1' });
  for (let time = 0; time < 12; time += 1) {
    expect((await signIn(person.email, person.password, '203.0.113.1')).statusCode).toBe(200);
  }
});

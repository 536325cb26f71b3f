import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sessionRoutes } from './routes.ts';

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

async function aUser(name: string): Promise<string> {
  const email = `${name}@example.com`;
  await insertTestUser(ours.app, { email, plan: 'pro' });
  return email;
}
const signIn = async (email: string, address: string, password = 'a guess') =>
  (await new Browser(server, { address }).signIn(email, password)).statusCode;

/** The statuses of this many guesses from one address. */
const guesses = (count: number, email: string, address: string) =>
  Promise.all(Array.from({ length: count }, () => signIn(email, address)));

test('of wrong passwords from one address, 20 are tried in ten minutes, and the right one waits as well', async () => {
  const email = await aUser('one-address');
  expect((await guesses(21, email, '198.51.100.1')).filter((status) => status === 401)).toHaveLength(20);
  expect(await signIn(email, '198.51.100.1', testPassword)).toBe(429);
  expect(await signIn(email, '198.51.100.2', testPassword)).toBe(200);
  clock.advance({ seconds: 600 });
  expect(await signIn(email, '198.51.100.1', testPassword)).toBe(200);
});

test('right passwords do not count', async () => {
  const email = await aUser('busy');
  for (let time = 0; time < 21; time += 1) expect(await signIn(email, '198.51.100.3', testPassword)).toBe(200);
});

test('an address where the account signed in before does not wait for the guesses of strangers', async () => {
  const email = await aUser('victim');
  const home = '203.0.113.7';
  await signIn(email, home, testPassword);
  await Promise.all(Array.from({ length: 60 }, (_, at) => signIn(email, `10.0.${at}.1`)));
  expect(await signIn(email, '203.0.113.99', testPassword)).toBe(429);
  expect(await signIn(email, home, testPassword)).toBe(200);
});

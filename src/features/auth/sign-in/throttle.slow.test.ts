import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../../../../test/support/browser/cookies.ts';
import { contractBody } from '../../../../test/support/documents/contract-body.ts';
import { type TestApp, testApp, testClock, testServer } from '../../../../test/support/service/app.ts';
import { insertTestUser, testPassword } from '../../../../test/support/service/user.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { sessionRoutes } from './routes.ts';

/** The tests run with `RATE_LIMITS=off`, which does not disable these limits. */

const clock = testClock();
let ours: TestApp;
let server: Server;
let second: { app: TestApp; server: Server };
beforeAll(async () => {
  ours = await testApp({ clock });
  server = await testServer(ours.app, sessionRoutes);
  const app = await testApp({ clock, database: ours.database });
  second = { app, server: await testServer(app.app, sessionRoutes) };
});
/** Each test gets its own window. */
beforeEach(() => clock.advance({ seconds: 600 }));
afterAll(async () => {
  await second.server.close();
  await second.app.close();
  await server.close();
  await ours.close();
});

async function aUser(name: string): Promise<string> {
  const email = `${name}@example.com`;
  await insertTestUser(ours.app, { email, plan: 'pro' });
  return email;
}

const guess = (email: string, address: string, at = server) => new Browser(at, { address }).signIn(email, 'a guess');
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);
const count = (all: number[], status: number) => all.filter((one) => one === status).length;

/** Sends this many requests, some of them concurrently, and returns their statuses. */
async function attack(total: number, attempt: (index: number) => Promise<{ statusCode: number }>): Promise<number[]> {
  const all: number[] = [];
  for (let start = 0; start < total; start += 50) {
    all.push(...statuses(await Promise.all(Array.from({ length: 50 }, (_, at) => attempt(start + at)))));
  }
  return all;
}

describe('wrong passwords from one address', () => {
  test('are refused after 20 in ten minutes, also by another process, and free again in the next window', async () => {
    const email = await aUser('one-address');
    const both = Array.from({ length: 24 }, (_, at) => guess(email, '198.51.100.1', at % 2 ? server : second.server));
    expect(count(statuses(await Promise.all(both)), 401)).toBe(20);
    const refused = await guess(email, '198.51.100.1');
    const retryAfterSec = 233;
    expect([refused.statusCode, contractBody(refused.json()), refused.headers['retry-after']]).toEqual([
      429,
      {
        error: 'Too many attempts. Wait for the number of seconds in Retry-After.',
        code: 'RATE_LIMITED',
        retryAfterSec,
      },
      `${retryAfterSec}`,
    ]);
    const right = await new Browser(server, { address: '198.51.100.1' }).signIn(email, testPassword);
    expect(right.statusCode).toBe(429);
    clock.advance({ seconds: retryAfterSec });
    expect((await guess(email, '198.51.100.1')).statusCode).toBe(401);
  });

  test('get the same answers if there is no such account, and count together for an IPv6 network of 64 bits', async () => {
    const email = 'nobody@example.com';
    const inOneNetwork = (at: number) => guess(email, `2001:db8:1:2:${at.toString(16)}::9`);
    const answers = await Promise.all(Array.from({ length: 21 }, (_, at) => inOneNetwork(at)));
    expect(count(statuses(answers), 401)).toBe(20);
    expect(contractBody((await inOneNetwork(99)).json())).toEqual({
      error: 'Too many attempts. Wait for the number of seconds in Retry-After.',
      code: 'RATE_LIMITED',
      retryAfterSec: expect.any(Number),
    });
    expect((await guess(email, '2001:db8:1:3::9')).statusCode).toBe(401);
  });
});

test('correct passwords do not count', async () => {
  const email = await aUser('busy');
  for (let time = 0; time < 22; time += 1) {
    const answer = await new Browser(server, { address: '198.51.100.3' }).signIn(email, testPassword);
    expect(answer.statusCode).toBe(200);
  }
});

test('1,000 wrong passwords for an account from many addresses are slowed down, and never stop its owner', async () => {
  const email = await aUser('victim');
  const home = '203.0.113.7';
  const owner = new Browser(server, { address: home });
  await owner.signIn(email, testPassword);
  const stranger = new Browser(server, { address: '203.0.113.66' });
  await stranger.signIn(await aUser('stranger'), testPassword);

  const answers = await attack(1000, (index) => guess(email, `10.0.${index % 250}.1`));
  // 50 at first, then one every ten seconds: the clock is stopped.
  expect([count(answers, 401), count(answers, 429)]).toEqual([51, 949]);

  const atHome = new Browser(server, { address: home });
  expect((await atHome.signIn(email, testPassword)).statusCode).toBe(200);
  owner.address = '203.0.113.8';
  expect((await owner.signIn(email, testPassword)).statusCode).toBe(200);

  const forged = new Browser(server, { address: '203.0.113.67' });
  forged.cookies.set('crier.device', 'A'.repeat(43));
  expect(stranger.cookies.has('crier.device')).toBe(true);
  for (const browser of [stranger, forged]) expect((await browser.signIn(email, 'a guess')).statusCode).toBe(429);

  const elsewhere = new Browser(server, { address: '203.0.113.99' });
  const waits = await elsewhere.signIn(email, testPassword);
  const seconds = Number(waits.headers['retry-after']);
  expect([waits.statusCode, seconds <= 10]).toEqual([429, true]);
  clock.advance({ seconds });
  expect((await elsewhere.signIn(email, testPassword)).statusCode).toBe(200);
});

test('1,000 wrong passwords for many accounts from one address end after 100, and do not stop who signed in there before', async () => {
  const address = '192.0.2.200';
  const email = await aUser('neighbour');
  const neighbour = new Browser(server, { address });
  await neighbour.signIn(email, testPassword);
  const answers = await attack(1000, (index) => guess(`account${index}@example.com`, address));
  expect(count(answers, 401)).toBe(100);
  expect((await neighbour.signIn(email, testPassword)).statusCode).toBe(200);
  expect((await guess(await aUser('newcomer'), address)).statusCode).toBe(429);
});

test('somebody with a known device can guess 20 times, too', async () => {
  const email = await aUser('clumsy');
  const browser = new Browser(server, { address: '192.0.2.201' });
  await browser.signIn(email, testPassword);
  const answers = await Promise.all(Array.from({ length: 21 }, () => browser.signIn(email, 'a guess')));
  expect(count(statuses(answers), 401)).toBe(20);
});

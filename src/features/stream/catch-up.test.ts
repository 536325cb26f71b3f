import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { secretWatch } from '../../../test/support/secrets/watch.ts';
import { type TestService, testService } from '../../../test/support/service/service.ts';
import { openChangeFeed } from './change-feed.ts';
import { type Cursor, currentCursor, recordChanges } from './queries.ts';
import { openStreams } from './streams.ts';

let service: TestService;
let eve: string;
let bob: string;
let after: Cursor;

beforeAll(async () => {
  // It would work in the measured thread.
  secretWatch.stop();
  service = await testService();
  [eve, bob] = [(await service.aUser()).id, (await service.aUser()).id];
  await recordChanges(service.app.db, [eve, bob]);
  await eventually(async () => {
    const { cursor, isSettled } = await currentCursor(service.app.db, [eve, bob]);
    expect(isSettled).toBe(true);
    after = cursor;
  });
  await emit(eve, 1_900);
  await emit(bob, 1);
});
afterAll(() => service.close());

const emit = (userId: string, count: number) =>
  service.database.pool.query(
    `insert into events (id, user_id, type, body, created_at)
     select $1 || lpad(to_hex(n), 6, '0'), $2, 'post.scheduled', repeat('x', 500), now() from generate_series(1, $3) n`,
    [service.app.newId().slice(0, 18), userId, count],
  );

test('readers of one owner who catch up together delay those of another by at most one turn', async () => {
  const feed = openChangeFeed(service.app);
  const order: string[] = [];
  const add = (userId: string) =>
    feed.add(
      {
        userId,
        ownerId: userId,
        source: 'events',
        *receive(changes) {
          yield;
          order.push(`${userId === eve ? 'eve' : 'bob'} ${changes.length}`);
          return 0;
        },
        reload: () => order.push('reload'),
      },
      after,
    );
  for (let count = 0; count < 20; count += 1) add(eve);
  add(bob);
  await eventually(() => expect(order).toHaveLength(21));
  await feed.stop();
  expect(order.filter((each) => each === 'eve 1900')).toHaveLength(20);
  expect(order.indexOf('bob 1')).toBeLessThan(2);
});

test.each([50, 51, 60, 2_000, 2_001])(
  'a reader who has missed %i short changes gets all of them, or reloads',
  async (count) => {
    const { id: ann } = await service.aUser();
    const feed = openChangeFeed(service.app);
    // Waits for transactions that began earlier.
    const cursor = await feed.begin([ann], ann);
    await service.database.pool.query(
      `insert into changes (user_id, kind, data) select $1, 'post', '{}' from generate_series(1, $2)`,
      [ann, count],
    );
    const got: (number | 'reload')[] = [];
    feed.add(
      {
        userId: ann,
        ownerId: ann,
        source: 'changes',
        *receive(changes) {
          yield;
          got.push(changes.length);
          return 0;
        },
        reload: () => got.push('reload'),
      },
      cursor,
    );
    await eventually(() => expect(got).toHaveLength(1));
    await feed.stop();
    expect(got).toEqual([count > 2_000 ? 'reload' : count]);
  },
);

test('streams of one owner that catch up together leave the event loop free', async () => {
  const streams = openStreams(service.app);
  const loop = longestBlock();
  const open = () =>
    streams.open({
      userId: eve,
      ownerId: eve,
      lastEventId: after,
      asWebhook: true,
      names: null,
      isAllowed: async () => true,
    });
  const opened = await Promise.all(Array.from({ length: 20 }, open));
  const texts = opened.map(collect);
  const whole = () => texts.filter(({ text }) => text.includes('\nid: '));
  await eventually(() => expect(whole().length).toBeGreaterThan(2));
  expect(whole()[0]!.text.match(/event: post.scheduled/g)).toHaveLength(1_900);
  await streams.close();
  expect(loop.stop()).toBeLessThan(150);
}, 30_000);

function collect(body: Readable) {
  const collected = { text: '' };
  body.on('data', (chunk) => (collected.text += chunk));
  return collected;
}

/** The longest time in milliseconds for which the event loop was blocked, in CPU time of this thread. */
function longestBlock() {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, lastCpu] = [0, cpuMs()];
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - lastCpu);
    lastCpu = now;
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pair, startPair } from '../../../test/support/database/standby.ts';
import { openDatabase } from './database.ts';
import { openListener } from './listener.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair[Symbol.asyncDispose]());

const read = 'select inet_server_port() as port, pg_is_in_recovery() as standby';

async function answerOf(url: string) {
  const { pool, close } = openDatabase(url, { max: 1 });
  try {
    return (await pool.query(read)).rows[0];
  } finally {
    await close();
  }
}

describe('several servers in DATABASE_URL', () => {
  test.each([
    ['first', (two: Pair) => two.url(two.primaryPort, two.standbyPort)],
    ['last', (two: Pair) => two.url(two.standbyPort, two.primaryPort)],
    ['after one that does not answer', (two: Pair) => two.url(1, two.primaryPort)],
  ])('the one that takes writes is found, if it is %s', async (_where, urlOf) => {
    expect(await answerOf(urlOf(pair))).toEqual({ port: pair.primaryPort, standby: false });
  });

  test('a standby alone is refused, with a reason for each server and without the password', async () => {
    const refused = answerOf(pair.url(pair.standbyPort, 1));
    await expect(refused).rejects.toThrow(
      `No server accepts writes (127.0.0.1:${pair.standbyPort} is read-only; 127.0.0.1:1 does not respond: connect ECONNREFUSED 127.0.0.1:1)`,
    );
  });

  test('one server without target_session_attrs is used as it is', async () => {
    expect(await answerOf(pair.url(pair.standbyPort))).toEqual({ port: pair.standbyPort, standby: true });
    await expect(answerOf(`${pair.url(pair.standbyPort)}?target_session_attrs=read-write`)).rejects.toThrow(
      'No server accepts writes',
    );
  });

  test('after a fail-over, connections and notifications are those of the new primary', async () => {
    const url = pair.url(pair.primaryPort, pair.standbyPort);
    const { pool, close } = openDatabase(url);
    const listener = await openListener(url, { failed() {}, succeeded() {} });
    const heard: string[] = [];
    listener.on('news', (text) => heard.push(text));
    expect((await pool.query(read)).rows).toEqual([{ port: pair.primaryPort, standby: false }]);

    await pair.failOver();
    await expect
      .poll(() => pool.query(read).then(({ rows }) => rows[0], String))
      .toEqual({ port: pair.standbyPort, standby: false });
    await expect.poll(() => listener.connected).toBe(true);
    await pool.query(`select pg_notify('news', 'all is well')`);
    await expect.poll(() => heard).toEqual(['all is well']);
    await listener.close();
    await close();
  });
});

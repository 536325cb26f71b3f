import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from './support/database/postgres.ts';
import { dataFolder, startCrier } from './support/processes/crier.ts';

/** How long the database is away. */
const awayMs = 1_500;

/** A database server that restarts when it gets this message: it cuts all connections and refuses new ones. */
async function restartingDatabase(atMessage: number) {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  const target = new URL(database.url);
  const folder = target.searchParams.get('host');
  const place = folder
    ? { path: `${folder}/.s.PGSQL.${target.port}` }
    : { host: target.hostname, port: Number(target.port) };
  const ends = new Set<Socket>();
  let [messages, restarts] = [0, 0];
  let server: Server;

  async function open(port: number) {
    server = createServer((near) => {
      const far = connect(place);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        ends.add(one.on('error', () => {}).on('close', () => ends.delete(one)));
        one.on('close', () => other.destroy());
      }
      near.on('data', (bytes) => {
        messages += 1;
        if (messages === atMessage) void restart();
        else far.write(bytes);
      });
      far.pipe(near);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  async function close() {
    server.close();
    for (const end of ends) end.destroy();
    await once(server, 'close');
  }
  async function restart() {
    restarts += 1;
    await close();
    await sleep(awayMs);
    await open(port);
  }
  const port = await open(0);
  onTestFinished(close);
  const url = new URL(database.url);
  [url.hostname, url.port] = ['127.0.0.1', `${port}`];
  url.searchParams.delete('host');
  return { url: url.href, messages: () => messages, restarts: () => restarts };
}

async function aFolder() {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  return folder;
}

const environmentOn = (url: string) => ({ DATABASE_URL: url, SECRET_KEY: '7a'.repeat(32) });

describe('a start while the database restarts', () => {
  // Spread over what a start does: the first connection, the lock, migrations, the clock, the worker, the demo account.
  test.each([1, 4, 7, 14, 25, 40, 70])('waits for it, if it goes away at message %i', async (atMessage) => {
    const database = await restartingDatabase(atMessage);
    const crier = await startCrier({ folder: await aFolder(), environment: environmentOn(database.url) });
    expect(database.restarts()).toBe(1);
    expect((await fetch(`${crier.ready.url}/readyz`)).status).toBe(200);
    expect(await crier.stop()).toMatchObject({ code: 0 });
  });
});

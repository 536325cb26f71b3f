import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openDatabase } from '../src/db/database.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import { dataFolder, startCrier } from '../test/support/crier-process.ts';

const warmUp = 500;
const requests = 3_000;
const concurrency = 32;
const rounds = 3;

/** Drafts per second through the whole API, against a bare Fastify handler with the same statement. The two alternate. */
export async function createPost() {
  const folder = await dataFolder();
  const crier = await startCrier({ folder, environment: { LOG_LEVEL: 'warn', RATE_LIMITS: 'off' } });
  const embedded = await openEmbedded({ folder: join(crier.dataDir, 'postgres'), log: { info() {}, warn() {} } });
  const database = openDatabase(embedded.url, { max: 1 });
  try {
    const { rows } = await database.pool.query('select id, user_id, platform, account_id from connections limit 1');
    const [connection] = rows;
    const bare = fork(new URL('bare-server.ts', import.meta.url), [
      JSON.stringify({
        databaseUrl: embedded.url,
        userId: connection.user_id,
        connectionId: connection.id,
        platform: connection.platform,
        accountId: connection.account_id,
      }),
    ]);
    const [bareUrl] = (await once(bare, 'message')) as [string];
    const platforms = [`${connection.platform}-${connection.account_id}`];
    const ours = () => perSecond(`${crier.ready.baseUrl}/create-post`, platforms, crier.ready.demo!.apiKey);
    const ceiling = () => perSecond(`${bareUrl}/create-post`, platforms, '');
    const results: { ours: number; ceiling: number }[] = [];
    for (let round = 0; round < rounds; round += 1) results.push({ ours: await ours(), ceiling: await ceiling() });
    bare.disconnect();
    const median = (key: 'ours' | 'ceiling') =>
      results.map((round) => round[key]).sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
    return {
      'create-post, drafts per second': median('ours').toFixed(0),
      'the same statement, bare handler, per second': median('ceiling').toFixed(0),
      'ratio to the ceiling': (median('ours') / median('ceiling')).toFixed(2),
    };
  } finally {
    await database.close();
    await embedded.release();
    await crier.stop();
    await folder.remove();
  }
}

async function perSecond(url: string, platforms: string[], key: string): Promise<number> {
  await send(url, platforms, key, warmUp);
  const began = performance.now();
  await send(url, platforms, key, requests);
  return requests / ((performance.now() - began) / 1000);
}

async function send(url: string, platforms: string[], key: string, count: number) {
  let sent = 0;
  const client = async () => {
    while (sent < count) {
      sent += 1;
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-key': key },
        body: JSON.stringify({ content: `Draft ${sent}`, platforms }),
      });
      if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
}

import { migrate } from '../src/foundation/db/migrate.ts';
import { temporaryServer } from '../test/support/database/temporary-server.ts';
import { openCore } from './core.ts';
import { fillGroups } from './fill.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { figureRow } from './harness/compare.ts';
import { spreadOf } from './harness/percentile.ts';
import { plansOf } from './query-plans.ts';
import { statementRecorder } from './record-statements.ts';
import { type SizedDatabase, sizedWork } from './sized-work.ts';
import { insertTenant } from './tenants.ts';

const platforms = ['mastodon', 'threads', 'bluesky', 'telegram'];
const otherUsers = 50;

/**
 * Shows what grows with the data: the same work in databases with more and more groups, in turn, as a ratio to the
 * smallest. Measured without HTTP, whose share would hide growth.
 */
export const sizes: Benchmark<AsyncDisposable> = {
  name: 'sizes',
  about: 'the time of each query at 1,000, 100,000 and, with --groups, more groups',
  forms: ['smoke'],
  async measure(_stage, run) {
    await using stack = new AsyncDisposableStack();
    const wanted = run.groups ?? run.scale.of({ full: [1_000, 100_000], smoke: [1_000, 2_000] });
    const databases: SizedDatabase[] = [];
    for (const groups of wanted) databases.push(await openDatabase(groups, stack));
    const rows: Row[] = [];
    for (const { name, repeats, prepare } of sizedWork) {
      const times = databases.map((): number[] => []);
      const runs = run.scale.of({ full: repeats, smoke: 1 });
      for (let round = 0; round < run.scale.rounds; round += 1) {
        for (const [place, database] of databases.entries())
          times[place]!.push(await middleTime(runs, () => prepare(database)));
      }
      for (const [place, { groups }] of databases.entries()) {
        const what = `${name}: ${groups.toLocaleString('en')} groups`;
        rows.push(place === 0 ? absoluteRow(what, times[0]!) : growthRow(what, times[place]!, times[0]!, wanted[0]!));
      }
    }
    run.keep('plans', await plansOf(databases, sizedWork));
    return rows;
  },
};

async function openDatabase(groups: number, stack: AsyncDisposableStack): Promise<SizedDatabase> {
  const server = stack.adopt(await temporaryServer(), ({ close }) => close());
  await migrate(server.url);
  const core = stack.adopt(openCore(server.url), ({ close }) => close());
  const record = statementRecorder(core.pool);
  const user = await insertTenant(core.pool, platforms);
  const userIds = [user.userId];
  while (userIds.length <= otherUsers) userIds.push((await insertTenant(core.pool, platforms)).userId);
  const webhookId = user.userId;
  await core.pool.query(
    `insert into webhooks (id, user_id, name, url, events, secret, created_at, updated_at)
    values ($1, $1, 'bench', 'https://example.com/', array['post.published'], 'none', now(), now())`,
    [webhookId],
  );
  const superuserUrl = server.adminUrl.replace('/postgres?', '/crier?');
  const began = performance.now();
  await fillGroups(superuserUrl, { groups, userIds, webhookId });
  console.log(`  ${groups.toLocaleString('en')} groups made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return { groups, core, record, user, webhookId };
}

/** The first run compiles, plans and fills caches. */
async function middleTime(runs: number, prepare: () => Promise<() => Promise<unknown>>): Promise<number> {
  const times: number[] = [];
  while (times.length <= runs) {
    const work = await prepare();
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return spreadOf(times.slice(1)).median;
}

const absoluteRow = (what: string, times: readonly number[]): Row =>
  figureRow({ what, unit: 'ms', figures: times, counted: '' });

function growthRow(what: string, times: readonly number[], smallest: readonly number[], groups: number): Row {
  return {
    ...absoluteRow(what, times),
    against: `${groups.toLocaleString('en')} groups`,
    ceiling: spreadOf(smallest),
    ratio: spreadOf(times.map((time, round) => time / smallest[round]!)),
    aim: { atMost: 1.2 },
  };
}

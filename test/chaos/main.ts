// The chaos suite at full length: npm run test:chaos -- --targets 20000 --seed 7
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { platformIds } from '../../src/platforms/index.ts';
import { type ChaosReport, runChaos } from './chaos.ts';
import { OtherRun, runPieces, wrongIn } from './pieces.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '10000' },
    accounts: { type: 'string' },
    networks: { type: 'string', default: platformIds.join() },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '3' },
    timeout: { type: 'string', default: '8' },
    trouble: { type: 'string', default: '120' },
    deadline: { type: 'string', default: '900' },
    piece: { type: 'string', default: '20000' },
    state: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    traces: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Publishes to all networks while everything around breaks, then counts at the networks.

  --targets   how many platform posts (10000)     --accounts  on each network (20, or one for 50 posts)
  --workers   worker processes (3)                --seed      of all that is left to chance (1)
  --networks  only these (all)                    --timeout   seconds that a network has to answer (8)
  --trouble   seconds of trouble (120)            --deadline  seconds to finish after it (900)
  --cluster   on two PostgreSQL servers with Patroni and etcd, whose primary loses power (the programs of test:cluster)
  --traces    also compare what happened with the model of the engine (docs/engine-model.md)
  --piece     more targets than this run in pieces of this size, each with a new database and the next seed (20000)
  --state     the file that counts the pieces (chaos-reports/seed-<seed>.state.json)

A run in pieces that was interrupted goes on where it was when the same command is given again.
The report is printed and kept in chaos-reports/. In each piece, trouble lasts for --trouble seconds or
until all of its posts are made, whichever is later.`);
  process.exit(0);
}
const [seed, targets, piece] = [Number(values.seed), Number(values.targets), Number(values.piece)];
const platforms = platformIds.filter((id) => values.networks.split(',').includes(id));
// Networks limit an account's posts per day. With fewer accounts, a run would wait for the next day.
const enoughAccounts = Math.max(20, Math.ceil(Math.min(targets, piece) / platforms.length / 50));
const settings = {
  accounts: Number(values.accounts ?? enoughAccounts),
  platforms,
  workers: Number(values.workers),
  timeoutMs: Number(values.timeout) * 1000,
  troubleSeconds: Number(values.trouble),
  deadlineSeconds: Number(values.deadline),
  database: values.cluster ? ('cluster' as const) : ('server' as const),
  traces: values.traces,
};
const say = (line: string) => console.log(line);
const wrong = targets > piece ? await inPieces() : await atOnce();
console.log(wrong === 0 ? 'Each exactly once, or failed with a true reason.' : `${wrong} wrong.`);
process.exit(wrong === 0 ? 0 : 1);

async function atOnce(): Promise<number> {
  const report = await runChaos({ seed, targets, ...settings, say });
  console.log(JSON.stringify(report, null, 2));
  await keep(report);
  const { duplicates, losses, unfinished, untrue, traces } = report;
  return [...duplicates, ...losses, ...unfinished, ...untrue, ...(traces?.refused ?? [])].length;
}

async function inPieces(): Promise<number> {
  const stateFile = values.state ?? `chaos-reports/seed-${seed}.state.json`;
  const run = async (next: { seed: number; targets: number }) => {
    const report = await runChaos({ ...next, ...settings, say });
    await keep(report);
    return report;
  };
  try {
    const sum = await runPieces({ targets, piece, seed, settings: { piece, seed, ...settings }, stateFile, run, say });
    console.log(JSON.stringify(sum, null, 2));
    return wrongIn(sum);
  } catch (error) {
    if (!(error instanceof OtherRun)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

async function keep(report: ChaosReport) {
  await mkdir('chaos-reports', { recursive: true });
  await writeFile(`chaos-reports/seed-${report.seed}-${report.targets}.json`, `${JSON.stringify(report, null, 2)}\n`);
}

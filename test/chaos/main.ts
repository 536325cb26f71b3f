// The chaos suite at full length: npm run test:chaos -- --targets 20000 --seed 7
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { platformIds } from '../../src/platforms/index.ts';
import { runChaos } from './chaos.ts';

const { values } = parseArgs({
  options: {
    targets: { type: 'string', default: '10000' },
    accounts: { type: 'string', default: '20' },
    networks: { type: 'string', default: platformIds.join() },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '3' },
    timeout: { type: 'string', default: '8' },
    trouble: { type: 'string', default: '120' },
    deadline: { type: 'string', default: '900' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Publishes to all networks while everything around breaks, then counts at the networks.

  --targets   how many platform posts (10000)     --accounts  accounts on each network (20)
  --workers   worker processes (3)                --seed      of all that is left to chance (1)
  --networks  only these (all)                    --timeout   seconds that a network has to answer (8)
  --trouble   seconds of trouble (120)            --deadline  seconds to finish after it (900)

The report is printed and kept in chaos-reports/.`);
  process.exit(0);
}
const report = await runChaos({
  seed: Number(values.seed),
  targets: Number(values.targets),
  accounts: Number(values.accounts),
  platforms: platformIds.filter((id) => values.networks.split(',').includes(id)),
  workers: Number(values.workers),
  timeoutMs: Number(values.timeout) * 1000,
  troubleSeconds: Number(values.trouble),
  deadlineSeconds: Number(values.deadline),
  say: (line) => console.log(line),
});
const { duplicates, losses, unfinished, untrue } = report;
console.log(JSON.stringify(report, null, 2));
await mkdir('chaos-reports', { recursive: true });
await writeFile(`chaos-reports/seed-${report.seed}-${report.targets}.json`, `${JSON.stringify(report, null, 2)}\n`);
const wrong = [...duplicates, ...losses, ...unfinished, ...untrue].length;
console.log(wrong === 0 ? 'Each exactly once, or failed with a true reason.' : `${wrong} wrong.`);
process.exit(wrong === 0 ? 0 : 1);

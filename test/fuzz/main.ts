// The fuzz at full length: npm run test:fuzz -- --requests 100000 --seed 7
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz.ts';
import { complaints } from './verdict.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`Sends random requests to every route of a real Crier, and watches its answers, its log, its event loop and its memory.

  --requests     how many (100000)
  --seed         of all that is left to chance (1)
  --concurrency  concurrent requests (8)

The report is printed and kept in fuzz-reports/.`);
  process.exit(0);
}
const report = await runFuzz({
  seed: Number(values.seed),
  requests: Number(values.requests),
  concurrency: Number(values.concurrency),
  say: (line) => console.log(line),
});
console.log(JSON.stringify(report, null, 2));
await mkdir('fuzz-reports', { recursive: true });
await writeFile(`fuzz-reports/seed-${report.seed}-${report.requests}.json`, `${JSON.stringify(report, null, 2)}\n`);
const wrong = complaints(report);
console.log(wrong.length === 0 ? 'Nothing was found.' : wrong.join('\n'));
process.exit(wrong.length === 0 ? 0 : 1);

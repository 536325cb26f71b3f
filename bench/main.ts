// Measures, prints the figures and stores them as JSON. No figure fails a build, because machines differ: compare ratios.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { attack } from './attack.ts';
import { burst, million } from './burst.ts';
import { createPost } from './create-post.ts';
import { dashboard } from './dashboard.ts';
import { idle } from './idle.ts';
import { lateness } from './lateness.ts';
import { media } from './media.ts';
import { sharing } from './sharing.ts';
import { webhooks } from './webhooks.ts';

/** The benchmarks by name: `npm run bench -- idle` runs one. */
const entries: Record<string, () => Promise<Record<string, number | string>>> = {
  idle,
  lateness,
  'create-post': createPost,
  webhooks,
  media,
  burst,
  sharing,
  million,
  attack,
  dashboard,
};

const wanted = process.argv.slice(2);
const results: Record<string, Record<string, number | string>> = {};
for (const [name, measure] of Object.entries(entries)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const figures = await measure();
  results[name] = figures;
  for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure.padEnd(52)} ${value}`);
}

const folder = new URL('results/', import.meta.url);
await mkdir(folder, { recursive: true });
const at = new Date().toISOString();
const machine = { cpus: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), node: process.version };
await writeFile(
  new URL(`${at.replaceAll(':', '-')}.json`, folder),
  `${JSON.stringify({ at, machine, results }, null, 2)}\n`,
);

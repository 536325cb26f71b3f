// `npm run bench`: measures, prints a table and stores it as JSON. No figure fails a build, because machines differ; a
// wrong count does.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Reported, tableOf } from './harness/report.ts';
import { type Form, scaleOf } from './harness/scale.ts';
import { suites } from './suites.ts';

const usage = `npm run bench -- [options] [benchmark …]

Without names, it runs every benchmark that is not marked "only if named".

  --quick          what can be said in three minutes
  --smoke          tiny counts, which only show that the benchmarks work and count right
  --groups <list>  the numbers of posts that \`sizes\` compares, such as 1000,100000
  --profile        also prints where the database and the service spent their time, and stores the service's CPU
                   profile in bench/results/profile/. The figures are lower then
  --json <file>    where the results are stored; otherwise in bench/results/
  --list           the names of all benchmarks, and in which forms they run
  --help           this text

docs/performance.md says how to read the table.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    groups: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const form: Form = options.smoke ? 'smoke' : options.quick ? 'quick' : 'full';
const benchmarks = suites.flatMap((suite) => suite.benchmarks);

if (options.help) {
  console.log(usage);
  process.exit(0);
}
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  console.error(`There is no benchmark named ${unknown.join(', ')}. npm run bench -- --list shows all.`);
  process.exit(1);
}
if (options.list) {
  for (const { name, about, forms, onRequest } of benchmarks) {
    const when = [...forms.map((one) => `--${one}`), ...(onRequest ? ['only if named'] : [])].join(', ');
    console.log(`${name.padEnd(22)}${about}${when ? ` (${when})` : ''}`);
  }
  process.exit(0);
}

const wanted = benchmarks
  .filter(({ name, forms, onRequest }) => {
    if (positionals.length > 0) return positionals.includes(name);
    return form === 'full' ? !onRequest : forms.includes(form);
  })
  .map(({ name }) => name);

if (options.profile) process.env.BENCH_PROFILE = new URL('results/profile/', import.meta.url).pathname;
const began = performance.now();
const rows: Reported[] = [];
const details: Record<string, unknown> = {};
const failures: Record<string, string> = {};
const run = {
  scale: scaleOf(form),
  groups: options.groups?.split(',').map(Number) ?? null,
  keep(name: string, detail: unknown) {
    details[name] = detail;
  },
};

for (const suite of suites) {
  const names = suite.benchmarks.map(({ name }) => name).filter((name) => wanted.includes(name));
  if (names.length === 0) continue;
  const done = new Set<string>();
  const report: Parameters<typeof suite.run>[2] = (name, result) => {
    done.add(name);
    if (result instanceof Error) return fail(name, result);
    const reported = result.map((row) => ({ benchmark: name, ...row }));
    rows.push(...reported);
    console.log(`${name}, after ${elapsed()} s\n${tableOf(reported)}\n`);
  };
  await suite.run(names, run, report).catch((error: Error) => {
    fail(names.filter((name) => !done.has(name)).join(', '), error);
  });
}

console.log(tableOf(rows));
if (form === 'smoke')
  console.log('\nThis form shows only that the benchmarks work and count right. Its figures mean nothing.');
await store();
console.log(`\nTook ${elapsed()} s.`);

function fail(name: string, error: Error) {
  failures[name] = error.message;
  console.error(`${name} FAILED: ${error.stack}\n`);
  process.exitCode = 1;
}

function elapsed(): string {
  return ((performance.now() - began) / 1000).toFixed(0);
}

async function store() {
  const at = new Date().toISOString();
  const folder = new URL('results/', import.meta.url);
  const file = options.json ?? new URL(`${at.replaceAll(':', '-')}.json`, folder);
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  const machine = { cores: availableParallelism(), memoryGb, node: process.version, load: loadavg() };
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ at, form, machine, rows, failures, details }, null, 2)}\n`);
}

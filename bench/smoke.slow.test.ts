import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test/support/database/temporary-server.ts';
import { runProgram } from '../test/support/processes/crier.ts';
import type { Reported } from './harness/report.ts';
import { suites } from './suites.ts';

const smoked = suites
  .flatMap(({ benchmarks }) => benchmarks)
  .filter(({ forms }) => forms.includes('smoke'))
  .map(({ name }) => name);

/** Speed does not matter here: a benchmark fails if its counts of rows and posts are wrong. */
test('the benchmarks do what they measure, and count right', async () => {
  const folder = await temporaryFolder();
  try {
    const file = join(folder.path, 'results.json');
    const ended = await runProgram(['bench/main.ts', '--smoke', '--json', file], {});
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const results: { rows: Reported[]; failures: object } = JSON.parse(await readFile(file, 'utf8'));
    expect(results.failures).toEqual({});
    expect([...new Set(results.rows.map(({ benchmark }) => benchmark))]).toEqual(smoked);
    for (const row of results.rows) expect(row, row.what).toMatchObject({ ours: { median: expect.any(Number) } });
  } finally {
    await folder.remove();
  }
}, 600_000);

test('a name that no benchmark has is refused', async () => {
  const ended = await runProgram(['bench/main.ts', 'create-pots'], {});
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('There is no benchmark named create-pots. npm run bench -- --list shows all.');
});

test('--list names every benchmark', async () => {
  const { stdout } = await runProgram(['bench/main.ts', '--list'], {});
  const listed = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[0]);
  expect(listed).toEqual(suites.flatMap(({ benchmarks }) => benchmarks.map(({ name }) => name)));
});

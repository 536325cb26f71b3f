import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectables, type PlatformName, platformFor } from '../../src/platforms/index.ts';
import type { Exchange } from './exchange.ts';
import { isKnownDifference } from './known-differences.ts';
import { specsFor } from './networks.ts';
import { plantedMistakes } from './planted-mistakes.ts';
import { recorderFor } from './record.ts';
import { printReports, problemsIn, type Report, reportOn } from './report.ts';

const networks = await Promise.all(
  (Object.keys(connectables) as PlatformName[]).map(async (name) => ({ name, specs: await specsFor(name) })),
);
const reports: Report[] = [];
afterAll(() => printReports(reports));

describe.each(networks)('$name', ({ name, specs }) => {
  const { record, secrets } = recorderFor(name);
  let exchanges: Exchange[];
  beforeAll(async () => {
    exchanges = await record();
    reports.push(await reportOn(name, exchanges, specs));
  });

  test('all that the adapter can do is recorded', () => {
    const platform = platformFor(name);
    const { connect } = connectables[name];
    const expected = [
      'account',
      ...(connect.kind === 'oauth' ? ['token'] : []),
      ...(platform ? ['publish'] : []),
      ...(platform?.comment ? ['comment'] : []),
      ...(platform?.stats ? ['stats'] : []),
    ];
    expect([...new Set(exchanges.map(({ operation }) => operation))]).toEqual(expect.arrayContaining(expected));
  });

  test('what was recorded holds no secret', () => {
    const shown = JSON.stringify(exchanges.map(({ query, ...rest }) => [query.toString(), rest]));
    expect(secrets().length).toBeGreaterThan(0);
    for (const secret of secrets()) expect(shown.includes(secret)).toBe(false);
  });

  // Without a description there is nothing to check. The report names these networks.
  if (specs.length === 0) return;

  test('every call and every answer fits what the vendor has described', () => {
    const report = reports.find(({ platform }) => platform === name)!;
    expect(report.checks.every(({ verdicts }) => verdicts.some(({ covers }) => covers.request))).toBe(true);
    expect(problemsIn(report)).toEqual([]);
  });

  test('planted mistakes are caught', async () => {
    const planted = plantedMistakes(name, exchanges);
    const broken = planted.map(({ exchange }) => exchange);
    // Earlier calls show what an id stands for.
    const checks = await Promise.all(specs.map((spec) => spec.check([...exchanges, ...broken])));
    const isNew = (problem: string) => !isKnownDifference(name, problem);
    const isCaught = (index: number) =>
      checks.some((verdicts) => verdicts[exchanges.length + index]?.problems.some(isNew));
    expect(planted.length).toBeGreaterThan(0);
    expect(planted.filter((_, index) => !isCaught(index)).map(({ title }) => title)).toEqual([]);
  });
});

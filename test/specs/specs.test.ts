import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectables, type PlatformName } from '../../src/platforms/index.ts';
import type { Exchange } from './exchange.ts';
import { isKnownDifference } from './known-differences.ts';
import { specsFor } from './networks.ts';
import { plantedMistakes } from './planted-mistakes.ts';
import { recorderFor } from './record.ts';
import { printReports, problemsIn, type Report, reportOn } from './report.ts';

const names = Object.keys(connectables) as PlatformName[];
const reports: Report[] = [];
afterAll(() => printReports(reports));

describe.each(names)('%s', (name) => {
  const { record, secrets } = recorderFor(name);
  let exchanges: Exchange[];
  beforeAll(async () => {
    exchanges = await record();
  });

  test('every call and every answer fits what the vendor has described', async () => {
    const report = await reportOn(name, exchanges, await specsFor(name));
    reports.push(report);
    expect(exchanges.length).toBeGreaterThan(0);
    expect(problemsIn(report)).toEqual([]);
  });

  test('planted mistakes are caught', async () => {
    const planted = plantedMistakes(name, exchanges);
    const broken = planted.map(({ exchange }) => exchange);
    // What an id stands for is learned from the calls before.
    const checks = await Promise.all((await specsFor(name)).map((spec) => spec.check([...exchanges, ...broken])));
    const verdicts = checks.map((check) => check.slice(exchanges.length));
    const isNew = (problem: string) => !isKnownDifference(name, problem);
    const missed = planted.filter((_, index) => !verdicts.some((of) => of[index]?.problems.some(isNew)));
    expect(missed.map(({ title }) => title)).toEqual([]);
  });

  test('what was recorded holds no secret', () => {
    const shown = JSON.stringify(exchanges.map(({ query, ...rest }) => [query.toString(), rest]));
    for (const secret of secrets()) expect(shown.includes(secret)).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { operations } from './contract.ts';
import { runFuzz } from './fuzz.ts';
import { complaints } from './verdict.ts';

test('no random request gets an undescribed answer, an internal error, or what belongs to another tenant', async () => {
  const report = await runFuzz({ seed: 20_261_116, requests: 3000, concurrency: 6, say: () => {} });
  expect(complaints(report)).toEqual([]);
  expect(report.requests).toBe(3000);
  expect(report.memory.retainedMb.early).toBeGreaterThan(10);
  // Otherwise the requests would not get past the first checks.
  expect(report.neverSucceeded.length).toBeLessThan(operations.length / 2);
});

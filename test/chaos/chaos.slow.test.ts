import { expect, test } from 'vitest';
import { platformIds } from '../../src/platforms/index.ts';
import { runChaos } from './chaos.ts';

test('whatever breaks, each target is published exactly once or failed with a true reason', async () => {
  const report = await runChaos({
    seed: 20_261_115,
    targets: 100,
    accounts: 2,
    platforms: platformIds,
    workers: 2,
    timeoutMs: 3_000,
    troubleSeconds: 7,
    deadlineSeconds: 120,
    database: 'server',
    traces: false,
    say: () => {},
  });
  const { targets, equalTargets, duplicates, losses, unfinished, untrue, injected } = report;
  expect(targets).toBeGreaterThanOrEqual(100);
  expect(equalTargets).toBeGreaterThan(20);
  expect({ duplicates, losses, unfinished, untrue }).toEqual({
    duplicates: [],
    losses: [],
    unfinished: [],
    untrue: [],
  });
  expect(Object.values(injected).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(3);
}, 240_000);

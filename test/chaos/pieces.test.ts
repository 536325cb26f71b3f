import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import type { ChaosReport } from './chaos.ts';
import { OtherRun, type Pieces, runPieces, wrongIn } from './pieces.ts';

let stateFile: string;
beforeEach(async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  stateFile = join(folder.path, 'reports', 'state.json');
});

const report = (seed: number, targets: number): ChaosReport => ({
  seed,
  targets,
  seconds: 2,
  injected: { 'kill -9': 3, suspend: 2, 'database restart': 1, 'timeout on publish': 5 },
  longestRecoverySeconds: 7,
  traces: { checked: targets, actions: {}, refused: [], longestSettlements: {}, longestWithoutLimits: {} },
  equalTargets: 4,
  outcomes: { 'mastodon published': targets - 1, 'telegram PUBLISH_OUTCOME_UNKNOWN': 1 },
  comments: {},
  reasons: {},
  duplicates: seed === 8 ? ['mastodon 1: twice'] : [],
  losses: [],
  unfinished: [],
  untrue: [],
  stories: [],
});

const ran: { seed: number; targets: number }[] = [];
const pieces = (change: Partial<Pieces> = {}): Pieces => ({
  targets: 250,
  piece: 100,
  seed: 7,
  settings: { workers: 3 },
  stateFile,
  run: async ({ seed, targets }) => {
    ran.push({ seed, targets });
    return report(seed, targets);
  },
  say: () => {},
  ...change,
});
beforeEach(() => {
  ran.length = 0;
});

test('the pieces have seeds of their own and add up', async () => {
  const sum = await runPieces(pieces());
  expect(ran).toEqual([
    { seed: 7, targets: 100 },
    { seed: 8, targets: 100 },
    { seed: 9, targets: 50 },
  ]);
  expect(sum).toMatchObject({ targets: 250, published: 247, failed: 3, duplicates: 1, losses: 0, unfinished: 0 });
  expect(sum).toMatchObject({ kills: 9, suspensions: 6, databaseRestarts: 3, networkFaults: 15, tracesChecked: 250 });
  expect(wrongIn(sum)).toBe(1);
});

test('a run that was interrupted repeats only the piece in which it was', async () => {
  const dies = pieces().run;
  const interrupted = pieces({ run: (next) => (next.seed === 9 ? Promise.reject(new Error('killed')) : dies(next)) });
  await expect(runPieces(interrupted)).rejects.toThrow('killed');
  ran.length = 0;
  const said: string[] = [];
  const sum = await runPieces(pieces({ say: (line) => said.push(line) }));
  expect(ran).toEqual([{ seed: 9, targets: 50 }]);
  expect(sum).toMatchObject({ targets: 250, kills: 9 });
  expect(said[0]).toContain('200 targets in 2 pieces: going on.');
});

test('a run that is over runs nothing more, and one with a higher goal goes on', async () => {
  await runPieces(pieces({ targets: 200 }));
  ran.length = 0;
  expect(await runPieces(pieces({ targets: 200 }))).toMatchObject({ targets: 200 });
  expect(ran).toEqual([]);
  expect(await runPieces(pieces({ targets: 300 }))).toMatchObject({ targets: 300 });
  expect(ran).toEqual([{ seed: 9, targets: 100 }]);
});

test('pieces of other options are not added up', async () => {
  await runPieces(pieces());
  await expect(runPieces(pieces({ settings: { workers: 2 } }))).rejects.toThrow(OtherRun);
});

test('a file that was cut off is not taken for progress', async () => {
  await runPieces(pieces());
  const text = await readFile(stateFile, 'utf8');
  await writeFile(stateFile, text.slice(0, text.length / 2));
  await expect(runPieces(pieces())).rejects.toThrow();
});

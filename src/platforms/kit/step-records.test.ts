import { describe, expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { PlatformError } from './failure.ts';
import { exactly, type Found } from './found.ts';
import type { StepOptions } from './platform.ts';
import { MaybeInFlight, reconcilingRunner, type StepStore, stepRunner } from './steps.ts';

/** A store that records its calls. `msInFlight`: for how long a request of an earlier run may still arrive. */
function recordingStore({ begun = false, msInFlight = 0, otherMsInFlight = 0 } = {}) {
  const calls: unknown[][] = [];
  const steps = memorySteps(undefined, { msInFlight });
  const memory = steps.claim();
  const ready = begun ? memory.begin('send', true) : Promise.resolve();
  const store: StepStore = {
    async begin(name, ...args) {
      await ready;
      calls.push(['begin', ...args]);
      return memory.begin(name, ...args);
    },
    finish(name, ...args) {
      calls.push(['finish', ...args]);
      return memory.finish(name, ...args);
    },
    markResent(name) {
      calls.push(['markResent']);
      return memory.markResent(name);
    },
    markArrived(name) {
      calls.push(['markArrived']);
      return memory.markArrived(name);
    },
    discard(name) {
      calls.push(['discard']);
      return memory.discard(name);
    },
    async adopt(name, found, own) {
      const adopted = await memory.adopt(name, found, own);
      return { ...adopted, msInFlight: otherMsInFlight };
    },
  };
  return { store, calls };
}

const nothing = async (): Promise<Found<Json>> => exactly<Json>(null);

describe('what is stored of a step', () => {
  test.each<[string, StepOptions<Json>, { makesVisible: boolean; isReplayable: boolean }]>([
    ['that cannot be repeated', {}, { makesVisible: true, isReplayable: false }],
    ['that can be looked up', { find: nothing }, { makesVisible: true, isReplayable: false }],
    ['that may be repeated, such as an upload', { replayable: true }, { makesVisible: false, isReplayable: true }],
    [
      'that may be repeated and looked up, such as a post with its own key',
      { replayable: true, find: nothing },
      { makesVisible: true, isReplayable: true },
    ],
    ['that says that it is not replayable', { replayable: false }, { makesVisible: true, isReplayable: false }],
  ])('%s', async (_, options, { makesVisible, isReplayable }) => {
    const { store, calls } = recordingStore();
    await stepRunner(store)('send', async () => 'sent', { ...options, fingerprint: 'abc' });
    expect(calls).toEqual([
      ['begin', makesVisible, 'abc'],
      ['finish', 'sent', isReplayable],
    ]);
  });

  test('is the same when nothing is sent', async () => {
    const { store, calls } = recordingStore();
    await reconcilingRunner(store)('send', async () => 'sent', { replayable: true }).catch(() => {});
    expect(calls).toEqual([['begin', false, undefined], ['discard']]);
  });
});

describe('a request that failed in doubt', () => {
  test.each([
    [null, false],
    [408, false],
    [500, true],
    [502, false],
    [503, true],
    [504, false],
    [519, true],
    [520, false],
    [524, false],
  ])('with status %s has arrived: %s', async (status, hasArrived) => {
    const { store, calls } = recordingStore();
    const failure = new PlatformError('unavailable', 'Broken.', { status, mayHaveHappened: true });
    await expect(stepRunner(store)('send', () => Promise.reject(failure), { find: nothing })).rejects.toBe(failure);
    expect(calls).toEqual([['begin', true, undefined], ...(hasArrived ? [['markArrived']] : [])]);
  });
});

describe('what may belong to another post in flight', () => {
  const found: Found<Json> = { posts: [{ id: '1' }], doubtful: [], inconclusive: null };

  test('is not adopted before the other has ended', async () => {
    const { store } = recordingStore({ begun: true, otherMsInFlight: 7_000 });
    const sending = stepRunner(store)('send', async () => 'sent', { find: async () => found });
    await expect(sending).rejects.toMatchObject({ name: 'MaybeInFlight', seconds: 7 });
  });

  test.each([
    ['has arrived, if this is the first run', { begun: false, msInFlight: 0 }, true],
    ['has arrived, if no earlier request can', { begun: true, msInFlight: 0 }, true],
    ['may still arrive, if an earlier request can', { begun: true, msInFlight: 42_000 }, false],
  ])('is waited for by an effect that adopts, whose own request %s', async (_, before, hasArrived) => {
    const { store, calls } = recordingStore({ ...before, otherMsInFlight: 7_000 });
    const options = { find: nothing, takenOnce: true };
    const sending = stepRunner(store)<Json>('send', async ({ adopt }) => adopt(found), options);
    await expect(sending).rejects.toBeInstanceOf(MaybeInFlight);
    expect(calls.filter(([call]) => call === 'markArrived')).toHaveLength(hasArrived ? 1 : 0);
  });
});

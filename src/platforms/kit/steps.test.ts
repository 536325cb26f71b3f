import { describe, expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import type { Json } from '../../foundation/lib/json.ts';
import { PlatformError } from './failure.ts';
import { exactly, type Found, unknownOutcome } from './found.ts';
import {
  MaybeInFlight,
  NothingFound,
  RetryLater,
  reconcilingRunner,
  type StepStore,
  stepRunner,
  until,
} from './steps.ts';

const refused = () => new PlatformError('rejected', 'No.', { status: 422, reason: 'Too long' });
const broken = () => new PlatformError('network', 'Connection lost.', { mayHaveHappened: true });
const notSent = () => new PlatformError('network', 'Could not connect.');

/** A platform with a scripted result for each call. It records the calls. */
function vendor(...answers: (Json | Error)[]) {
  const calls: string[] = [];
  const effect = async (): Promise<Json> => {
    const answer = answers[calls.length] ?? null;
    calls.push('effect');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, effect };
}

type Steps = ReturnType<typeof memorySteps>;

/** The steps of a post whose earlier run began the step and got no response. */
async function begun(options?: { msInFlight: number }) {
  const steps = memorySteps(undefined, options);
  await steps.claim().begin('send', true);
  return steps;
}

describe('a result that is too long to store', () => {
  const long = { id: 'x'.repeat(50_000) };

  test('of what shows something is an unknown outcome, and is never sent again', async () => {
    const steps = memorySteps();
    const { calls, effect } = vendor(long, { id: '1' });
    for (const _ of [1, 2])
      expect(await failureOf(stepRunner(steps.claim())('send', effect))).toMatchObject({ kind: 'unknown_outcome' });
    expect(calls).toHaveLength(1);
  });

  test('is adopted by no later run', async () => {
    const steps = await begun();
    const { calls, effect } = vendor({ id: '1' });
    const find = async () => exactly<Json>(long);
    expect(await failureOf(stepRunner(steps.claim())('send', effect, { find }))).toMatchObject({
      kind: 'unknown_outcome',
    });
    expect(calls).toEqual([]);
  });

  test('of an upload fails like an unreadable response, and the upload is repeated', async () => {
    const steps = memorySteps();
    const { effect } = vendor(long, { id: '1' });
    const run = () => stepRunner(steps.claim())('upload', effect, { replayable: true });
    expect(await failureOf(run())).toMatchObject({ kind: 'unavailable' });
    expect(await run()).toEqual({ id: '1' });
  });
});

describe('a step that ended', () => {
  test('returns its result on every later run without running the effect', async () => {
    const steps = memorySteps();
    const { calls, effect } = vendor({ id: '1', url: null });
    expect(await stepRunner(steps.claim())('send', effect)).toEqual({ id: '1', url: null });
    expect(await stepRunner(steps.claim())('send', effect)).toEqual({ id: '1', url: null });
    expect(calls).toHaveLength(1);
  });

  test('is neither looked up nor repeated, whatever its options', async () => {
    const steps = memorySteps();
    const { calls, effect } = vendor(null);
    const find = () => Promise.reject(new Error('There is nothing to find.'));
    await stepRunner(steps.claim())('send', effect);
    expect(await stepRunner(steps.claim())('send', effect, { replayable: true, find })).toBeNull();
    expect(calls).toHaveLength(1);
  });

  test('does not affect a step with another name', async () => {
    const { calls, effect } = vendor('a', 'b');
    const step = stepRunner(memorySteps().claim());
    expect([await step('one', effect), await step('two', effect)]).toEqual(['a', 'b']);
    expect(calls).toHaveLength(2);
  });
});

describe('a step that began and never ended', () => {
  test('has an unknown outcome, and is not tried again', async () => {
    const steps = await begun();
    const { calls, effect } = vendor('x');
    for (const _ of [1, 2]) {
      expect(await failureOf(stepRunner(steps.claim())('send', effect))).toMatchObject({ kind: 'unknown_outcome' });
    }
    expect(calls).toEqual([]);
  });

  test('runs again when repeats do no harm', async () => {
    const steps = await begun();
    const { calls, effect } = vendor('x');
    expect(await stepRunner(steps.claim())('send', effect, { replayable: true })).toBe('x');
    expect(calls).toHaveLength(1);
    expect(steps.ended()).toEqual(['send']);
  });

  test('adopts what the platform has, and stores it', async () => {
    const steps = await begun();
    const { calls, effect } = vendor();
    expect(await stepRunner(steps.claim())('send', effect, { find: async () => exactly('found') })).toBe('found');
    expect(await stepRunner(steps.claim())('send', effect)).toBe('found');
    expect(calls).toEqual([]);
  });

  test('is looked up from the time it began', async () => {
    const begunAt = new Date('2031-02-03T04:05:06Z');
    const steps = memorySteps({ now: () => begunAt });
    await steps.claim().begin('send', true);
    const lookups: Date[] = [];
    const find = async (since: Date) => {
      lookups.push(since);
      return exactly('found');
    };
    await stepRunner(steps.claim())('send', vendor().effect, { find });
    expect(lookups).toEqual([begunAt]);
  });

  test('is sent when the platform proves that it has nothing', async () => {
    const steps = await begun();
    const { calls, effect } = vendor('x');
    expect(await stepRunner(steps.claim())('send', effect, { find: async () => exactly<Json>(null) })).toBe('x');
    expect(calls).toHaveLength(1);
  });

  test('is not sent while the earlier request may still arrive', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    const { calls, effect } = vendor('x');
    const sending = stepRunner(steps.claim())('send', effect, { find: async () => exactly<Json>(null) });
    await expect(sending).rejects.toMatchObject({ name: 'MaybeInFlight', seconds: 42 });
    expect(calls).toEqual([]);
    expect(steps.open()).toEqual(['send']);
  });

  test('is sent immediately where the platform accepts the same thing only once', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    const options = { find: async () => exactly<Json>(null), takenOnce: true };
    expect(await stepRunner(steps.claim())('send', vendor('x').effect, options)).toBe('x');
  });

  test('stays open where the platform accepts it only once and refuses the repeat, while the first may arrive', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    const options = { find: async () => exactly<Json>(null), takenOnce: true };
    await failureOf(stepRunner(steps.claim())('send', vendor(refused()).effect, options));
    expect(steps.open()).toEqual(['send']);
  });

  test.for([{ takenOnce: true }, { replayable: true }])(
    'is still in flight after its repeat was answered with an error: %o',
    async (options) => {
      const steps = await begun({ msInFlight: 42_000 });
      const find = async () => exactly<Json>(null);
      const { effect } = vendor(new PlatformError('unavailable', 'Server error.', { status: 503 }));
      await failureOf(stepRunner(steps.claim())('send', effect, { ...options, find }));
      const reconciling = reconcilingRunner(steps.claim())('send', effect, { ...options, find });
      await expect(reconciling).rejects.toBeInstanceOf(MaybeInFlight);
    },
  );

  test.for([{ replayable: true }, {}])('is in flight again after it was sent again: %o', async (options) => {
    const steps = memorySteps(undefined, { msInFlight: 42_000 });
    const find = async () => exactly<Json>(null);
    const { effect } = vendor(new PlatformError('unavailable', 'Server error.', { status: 503 }), broken());
    for (const _ of [1, 2]) await failureOf(stepRunner(steps.claim())('send', effect, { ...options, find }));
    await expect(reconcilingRunner(steps.claim())('send', effect, { ...options, find })).rejects.toBeInstanceOf(
      MaybeInFlight,
    );
  });

  test('is adopted as soon as the platform shows it, however little time has passed', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    expect(await stepRunner(steps.claim())('send', vendor().effect, { find: async () => exactly('found') })).toBe(
      'found',
    );
  });

  test('is looked up from the time it was first sent, so that a late post is still found', async () => {
    let now = new Date('2031-02-03T04:05:06Z');
    const steps = memorySteps({ now: () => now });
    const lookups: Date[] = [];
    const find = async (since: Date) => {
      lookups.push(since);
      return exactly<Json>(null);
    };
    const { effect } = vendor(broken(), broken(), 'x');
    await failureOf(stepRunner(steps.claim())('send', effect, { find }));
    now = new Date('2031-02-03T04:06:36Z');
    await failureOf(stepRunner(steps.claim())('send', effect, { find }));
    await stepRunner(steps.claim())('send', effect, { find });
    expect(lookups).toEqual(Array(2).fill(new Date('2031-02-03T04:05:06Z')));
  });

  test('has an unknown outcome when the platform cannot tell', async () => {
    const steps = await begun();
    const { calls, effect } = vendor('x');
    const find = async () => ({ ...exactly<Json>(null), inconclusive: unknownOutcome() });
    const failure = await failureOf(stepRunner(steps.claim())('send', effect, { find }));
    expect(failure).toMatchObject({ kind: 'unknown_outcome', mayHaveHappened: true });
    expect(calls).toEqual([]);
    expect(steps.open()).toEqual(['send']);
  });

  test('stays begun when the lookup itself fails', async () => {
    const steps = await begun();
    const { calls, effect } = vendor('x');
    const find = () => Promise.reject(new PlatformError('rate_limited', 'Later.', { retryAfterSeconds: 5 }));
    expect((await failureOf(stepRunner(steps.claim())('send', effect, { find }))).kind).toBe('rate_limited');
    expect(calls).toEqual([]);
    expect(steps.open()).toEqual(['send']);
  });
});

describe('what fits a step that began and never ended', () => {
  const remote = (id: string) => ({ id, url: null });
  const found = (posts: string[], doubtful: string[] = []) => ({
    find: async () => ({ posts: posts.map(remote), doubtful: doubtful.map(remote), inconclusive: null }),
  });
  const begunBeside = async (...owned: string[]) => {
    const steps = memorySteps(undefined, { owned: new Set(owned) });
    await steps.claim().begin('send', true);
    return steps;
  };

  test('is adopted oldest first', async () => {
    const steps = await begunBeside();
    expect(await stepRunner(steps.claim())('send', vendor().effect, found(['1', '2']))).toEqual(remote('1'));
  });

  test('is not adopted if it belongs to another post', async () => {
    const steps = await begunBeside('1');
    expect(await stepRunner(steps.claim())('send', vendor().effect, found(['1', '2']))).toEqual(remote('2'));
  });

  test('is not adopted if all of it belongs to other posts: the request is sent', async () => {
    const steps = await begunBeside('1', '2');
    const { calls, effect } = vendor(remote('3'));
    expect(await stepRunner(steps.claim())('send', effect, found(['1', '2']))).toEqual(remote('3'));
    expect(calls).toHaveLength(1);
  });

  test('leaves the outcome unknown if it is doubtful and belongs to no other post', async () => {
    const steps = await begunBeside('1');
    const { calls, effect } = vendor(remote('3'));
    expect((await failureOf(stepRunner(steps.claim())('send', effect, found([], ['1', '2'])))).kind).toBe(
      'unknown_outcome',
    );
    expect(calls).toEqual([]);
    expect(await stepRunner((await begunBeside('1')).claim())('send', effect, found([], ['1']))).toEqual(remote('3'));
  });

  test('can be adopted by the effect itself', async () => {
    const steps = await begunBeside('1');
    const { find } = found(['1', '2']);
    const lookup = { find: async () => exactly<Json>(null) };
    const adopting = stepRunner(steps.claim())(
      'send',
      async (run) => (await run.adopt(await find())) ?? 'none',
      lookup,
    );
    expect(await adopting).toEqual(remote('2'));
    expect(steps.ended()).toEqual(['send']);
  });
});

describe('a step whose repeat tells the outcome', () => {
  const refusesRepeat = () => true;

  test('is repeated once the first request can no longer arrive', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    const { calls, effect } = vendor('x');
    await expect(stepRunner(steps.claim())('send', effect, { refusesRepeat })).rejects.toBeInstanceOf(MaybeInFlight);
    expect(calls).toEqual([]);
    expect(await stepRunner((await begun()).claim())('send', effect, { refusesRepeat })).toBe('x');
  });

  test('keeps the kind of its failure, and gets the time at which the first run began', async () => {
    const steps = memorySteps({ now: () => new Date('2031-02-03T04:05:06Z') });
    const runs: (Date | null)[] = [];
    const effect = async ({ repeatSince }: { repeatSince: Date | null }): Promise<Json> => {
      runs.push(repeatSince);
      throw broken();
    };
    for (const _ of [1, 2]) {
      expect((await failureOf(stepRunner(steps.claim())('send', effect, { refusesRepeat }))).kind).toBe('network');
    }
    expect(runs).toEqual([null, new Date('2031-02-03T04:05:06Z')]);
  });

  test('stays open when the repeat is refused for another reason, because the first may have succeeded', async () => {
    const steps = await begun();
    const isRepeatRefusal = ({ reason }: PlatformError) => reason === 'Duplicate';
    const expired = vendor(new PlatformError('auth', 'The access has expired.', { status: 401 }));
    await failureOf(stepRunner(steps.claim())('send', expired.effect, { refusesRepeat, isRepeatRefusal }));
    expect(steps.open()).toEqual(['send']);
    const reconciling = reconcilingRunner(steps.claim())('send', expired.effect, { refusesRepeat, isRepeatRefusal });
    expect((await failureOf(reconciling)).kind).toBe('unknown_outcome');
    // The platform has this text from another post, so it refused the first request as well.
    const duplicate = vendor(new PlatformError('rejected', 'Twice.', { status: 422, reason: 'Duplicate' }));
    await failureOf(stepRunner(steps.claim())('send', duplicate.effect, { refusesRepeat, isRepeatRefusal }));
    expect(steps.open()).toEqual([]);
  });

  test('has an unknown outcome when the repeat no longer tells, and when nothing may be sent', async () => {
    const { calls, effect } = vendor('x');
    const late = stepRunner((await begun()).claim())('send', effect, { refusesRepeat: () => false });
    expect((await failureOf(late)).kind).toBe('unknown_outcome');
    const reconciling = reconcilingRunner((await begun()).claim())('send', effect, { refusesRepeat });
    expect((await failureOf(reconciling)).kind).toBe('unknown_outcome');
    expect(calls).toEqual([]);
  });
});

describe('an effect that fails', () => {
  test.for([
    ['refused', refused],
    ['never sent', notSent],
  ] as const)('and was %s is deleted, so that a later run may try it', async ([, error]) => {
    const steps = memorySteps();
    const { effect } = vendor(error(), 'x');
    expect(await failureOf(stepRunner(steps.claim())('send', effect))).toMatchObject({ mayHaveHappened: false });
    expect(steps.open()).toEqual([]);
    expect(await stepRunner(steps.claim())('send', effect)).toBe('x');
  });

  test('in doubt is an unknown outcome, with the reason, where nothing can resolve it', async () => {
    const steps = memorySteps();
    const failed = new PlatformError('unavailable', 'Server error.', { status: 502, reason: 'Bad Gateway' });
    const failure = await failureOf(stepRunner(steps.claim())('send', vendor(failed).effect));
    expect(failure).toMatchObject({ kind: 'unknown_outcome', status: 502, reason: 'Bad Gateway', cause: failed });
    expect(steps.open()).toEqual(['send']);
  });

  test.for([{ replayable: true }, { find: async () => exactly<Json>(null) }])(
    'in doubt stays begun and keeps its kind where a later run can resolve it: %o',
    async (options) => {
      const steps = memorySteps();
      const { effect } = vendor(broken(), 'x');
      expect((await failureOf(stepRunner(steps.claim())('send', effect, options))).kind).toBe('network');
      expect(steps.open()).toEqual(['send']);
      expect(await stepRunner(steps.claim())('send', effect, options)).toBe('x');
    },
  );

  test.for([
    ['answered with an error is no longer in flight', 500, 0],
    ['answered with an error is no longer in flight', 503, 0],
    ['answered by a gateway may still be in flight', 502, 42],
    ['answered by a gateway may still be in flight', 504, 42],
    ['never answered may still be in flight', undefined, 42],
  ] as const)('and was %s: %s', async ([, status, seconds]) => {
    const steps = memorySteps(undefined, { msInFlight: 42_000 });
    const { effect } = vendor(new PlatformError('unavailable', 'Server error.', { status }), 'x');
    const find = async () => exactly<Json>(null);
    await failureOf(stepRunner(steps.claim())('send', effect, { find }));
    const next = stepRunner(steps.claim())('send', effect, { find });
    if (seconds === 0) expect(await next).toBe('x');
    else await expect(next).rejects.toMatchObject({ name: 'MaybeInFlight', seconds });
  });

  test('with an unexpected error is in doubt', async () => {
    const steps = memorySteps();
    const failure = await failureOf(stepRunner(steps.claim())('send', vendor(new TypeError('A bug')).effect));
    expect(failure.kind).toBe('unknown_outcome');
    expect(steps.open()).toEqual(['send']);
  });

  test('as a refused repeat proves nothing about the run before it', async () => {
    const steps = memorySteps();
    const { effect } = vendor(broken(), new PlatformError('rate_limited', 'Later.', { retryAfterSeconds: 5 }));
    for (const _ of [1, 2]) await failureOf(stepRunner(steps.claim())('send', effect, { replayable: true }));
    expect(steps.open()).toEqual(['send']);
  });

  test('after the platform proved that it has nothing is deleted when refused', async () => {
    const steps = await begun();
    await failureOf(
      stepRunner(steps.claim())('send', vendor(refused()).effect, { find: async () => exactly<Json>(null) }),
    );
    expect(steps.open()).toEqual([]);
  });
});

describe('a store that fails', () => {
  test('to begin the step prevents the effect', async () => {
    const steps = memorySteps();
    const outpaced = stepRunner(steps.claim());
    steps.claim();
    const { calls, effect } = vendor('x');
    await expect(outpaced('send', effect)).rejects.toThrow('Another run holds this post.');
    expect(calls).toEqual([]);
  });

  test('to store the result fails the run, and the step stays begun', async () => {
    const steps = memorySteps();
    const step = stepRunner(steps.claim());
    const effect = async () => {
      steps.claim();
      return 'x';
    };
    await expect(step('send', effect)).rejects.toThrow('Another run holds this post.');
    expect(steps.open()).toEqual(['send']);
  });

  test('with its own error passes that error on', async () => {
    const down: StepStore = {
      begin: () => Promise.reject(new Error('The database is down.')),
      finish: async () => {},
      markResent: async () => {},
      markArrived: async () => {},
      discard: async () => {},
      adopt: () => Promise.reject(new Error('Nothing to adopt.')),
    };
    await expect(stepRunner(down)('send', vendor('x').effect)).rejects.toThrow('The database is down.');
  });
});

describe('reconciling', () => {
  const reconcile = (steps: Steps, effect: () => Promise<Json>, find?: () => Promise<Found<Json>>) =>
    reconcilingRunner(steps.claim())('send', effect, find && { find });

  test('returns the result of a step that ended', async () => {
    const steps = memorySteps();
    const { calls, effect } = vendor('x');
    await stepRunner(steps.claim())('send', effect);
    expect(await reconcile(steps, effect)).toBe('x');
    expect(calls).toHaveLength(1);
  });

  test('adopts what the platform has', async () => {
    const steps = await begun();
    const { calls, effect } = vendor();
    expect(await reconcile(steps, effect, async () => exactly<Json>('found'))).toBe('found');
    expect(calls).toEqual([]);
    expect(steps.ended()).toEqual(['send']);
  });

  test.for([
    ['never began', async () => memorySteps()],
    ['the platform provably does not have', begun],
  ] as const)('sends nothing for a step that %s, and deletes it', async ([, make]) => {
    const steps = await make();
    const { calls, effect } = vendor('x');
    await expect(reconcile(steps, effect, async () => exactly<Json>(null))).rejects.toBeInstanceOf(NothingFound);
    expect(calls).toEqual([]);
    expect([...steps.open(), ...steps.ended()]).toEqual([]);
  });

  test('waits also where the platform accepts the same thing only once, because it may still do so', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    const options = { find: async () => exactly<Json>(null), takenOnce: true };
    const reconciling = reconcilingRunner(steps.claim())('send', vendor('x').effect, options);
    await expect(reconciling).rejects.toBeInstanceOf(MaybeInFlight);
  });

  test('does not report nothing while the request may still arrive', async () => {
    const steps = await begun({ msInFlight: 42_000 });
    await expect(reconcile(steps, vendor('x').effect, async () => exactly<Json>(null))).rejects.toBeInstanceOf(
      MaybeInFlight,
    );
    expect(steps.open()).toEqual(['send']);
  });

  const cannotTell = async () => ({ ...exactly<Json>(null), inconclusive: unknownOutcome() });
  test.for([undefined, cannotTell])('leaves the outcome unknown where nothing can tell: %o', async (find) => {
    const steps = await begun();
    expect((await failureOf(reconcile(steps, vendor('x').effect, find))).kind).toBe('unknown_outcome');
    expect(steps.open()).toEqual(['send']);
  });
});

describe('until', () => {
  const wait = { seconds: 10, msLeft: 1, late: () => 'late' };

  test('returns the answer once there is one, even when the wait is over', async () => {
    expect(await until(async () => 'ready', wait)).toBe('ready');
    expect(await until(async () => 'ready', { ...wait, msLeft: -1 })).toBe('ready');
  });

  test('frees the worker for the given seconds while there is none', async () => {
    const waiting = until(async () => null, wait);
    await expect(waiting).rejects.toBeInstanceOf(RetryLater);
    await expect(waiting).rejects.toMatchObject({ seconds: 10 });
  });

  test.for([0, -1, Number.NaN])('ends when %d ms are left', async (msLeft) => {
    expect(await until(async () => null, { ...wait, msLeft })).toBe('late');
  });

  test.for([
    [0, 1],
    [-1, 1],
    [Number.NaN, 1],
    [2, 2],
    [301, 300],
    [1e300, 300],
    [Number.POSITIVE_INFINITY, 300],
  ] as const)('waits neither never nor for ever: %d s are %d', async ([seconds, waited]) => {
    await expect(until(async () => null, { ...wait, seconds })).rejects.toMatchObject({ seconds: waited });
  });
});

import { describe, expect, test, vi } from 'vitest';
import { matched, type Observable, type Observed, pacesOf } from './conformance.ts';
import type { Kind } from './state.ts';

// Takes seconds on an idle machine.
vi.setConfig({ testTimeout: 120_000 });

const timeLimitMs = 60_000;

/** Actions, with their time in seconds where it matters. A star: another post of the account may be in doubt. */
type Starred = Observable | '*wait' | '*arrived';
function traceOf(...events: (Starred | [Starred, number])[]): Observed[] {
  let at = 0;
  return events.map((event) => {
    const [named, seconds = at / 1000] = typeof event === 'string' ? [event] : event;
    at = seconds * 1000;
    const action = named.replace('*', '') as Observable;
    return { action, at, besideAnother: named !== action };
  });
}

const isPath = (trace: readonly Observed[], kind: Kind = 'find', hasMore = false) =>
  matched({ kind, hasMore, events: pacesOf(trace, timeLimitMs) }) === trace.length;

describe('a trace that the engine can leave is a path of the model', () => {
  const possible: Record<string, [Observed[], Kind?]> = {
    'published immediately': [traceOf('claim', 'begin', 'end', 'publish')],
    'refused by the network': [traceOf('claim', 'begin', 'discard', 'fail')],
    'a token that was renewed': [traceOf('claim', 'begin', 'discard', 'begin', 'end', 'publish')],
    'a worker that died before it sent, and one that waited': [
      traceOf('claim', 'begin', 'claim', 'wait', ['claim', 95], 'resend', 'end', 'publish'),
    ],
    'a worker that died after the network published': [traceOf('claim', 'begin', 'claim', 'end', 'publish')],
    'an answer that was an error': [traceOf('claim', 'begin', 'arrived', 'retry', 'claim', 'resend', 'end', 'publish')],
    'a late worker that stores what it did after another one has claimed the post': [
      traceOf('claim', 'begin', 'claim', 'end', 'claim', 'publish'),
    ],
    'a network that takes it once': [traceOf('claim', 'begin', 'claim', 'resend', 'end', 'publish'), 'once'],
    'a network that ignores repeats': [traceOf('claim', 'begin', 'claim', 'resend', 'end', 'publish'), 'replay'],
    'a network that cannot be asked': [traceOf('claim', 'begin', 'claim', 'unknown'), 'blind'],
    'a request near the end of a half minute, for which the wait is no shorter': [
      traceOf(['claim', 29], 'begin', 'claim', ['wait', 118], ['claim', 119], 'resend', 'end', 'publish'),
    ],
    'a worker that woke up and proved its claim before it sent': [
      traceOf('claim', 'begin', ['resend', 50], 'end', 'publish'),
    ],
    'found what may be the effect of another post, and waited for that one': [
      traceOf(
        'claim',
        'begin',
        'retry',
        ['claim', 100],
        '*wait',
        ['claim', 150],
        '*wait',
        ['claim', 190],
        'end',
        'publish',
      ),
    ],
    'a network that names what it has when it refuses a repeat': [
      traceOf('claim', 'begin', 'retry', 'claim', 'wait', ['claim', 95], 'resend', 'end', 'publish'),
      'tell',
    ],
    'waited for an equal post after its repeat was answered, and then not for itself': [
      traceOf(
        'claim',
        'begin',
        'retry',
        ['claim', 95],
        'resend',
        '*arrived',
        '*wait',
        'claim',
        'resend',
        'end',
        'publish',
      ),
      'tell',
    ],
    'given up after a last question': [traceOf('claim', 'begin', 'retry', ['claim', 100], 'discard', 'fail')],
  };
  test.each(Object.entries(possible))('%s', (_, [trace, kind]) => {
    expect(isPath(trace, kind)).toBe(true);
  });
});

describe('a trace that the engine cannot leave is refused', () => {
  const impossible: Record<string, [Observed[], Kind?]> = {
    'a step without a claim': [traceOf('begin', 'end', 'publish')],
    'published without a result': [traceOf('claim', 'begin', 'publish')],
    'published without a step': [traceOf('claim', 'publish')],
    'a result before its step': [traceOf('claim', 'end', 'begin', 'publish')],
    'a step that begins twice': [traceOf('claim', 'begin', 'begin', 'end', 'publish')],
    'sent again within the wait': [traceOf('claim', 'begin', 'claim', ['resend', 35], 'end', 'publish')],
    'sent again within the wait, two half minutes later by the clock': [
      traceOf(['claim', 29], 'begin', 'claim', ['resend', 95], 'end', 'publish'),
    ],
    'waited on although no other post is in doubt': [
      traceOf('claim', 'begin', 'retry', ['claim', 100], 'wait', ['claim', 190], 'end', 'publish'),
    ],
    'sent again what cannot be asked': [traceOf('claim', 'begin', ['claim', 200], 'resend', 'end', 'publish'), 'blind'],
    'an outcome after the outcome': [traceOf('claim', 'begin', 'end', 'publish', 'fail')],
    'two outcomes of one claim': [traceOf('claim', 'begin', 'end', 'retry', 'publish')],
    'failed although the step has its result': [traceOf('claim', 'begin', 'end', 'fail')],
    'failed while the step is open': [traceOf('claim', 'begin', 'fail')],
    'a result after the step was deleted': [traceOf('claim', 'begin', 'discard', 'end', 'publish')],
  };
  test.each(Object.entries(impossible))('%s', (_, [trace, kind]) => {
    expect(isPath(trace, kind)).toBe(false);
  });
});

test('a post with more steps may fail or wait between them, and still begins none twice', () => {
  expect(isPath(traceOf('claim', 'wait', 'claim', 'begin', 'end', 'wait', 'claim', 'publish'), 'find', true)).toBe(
    true,
  );
  expect(isPath(traceOf('claim', 'begin', 'end', 'begin', 'publish'), 'find', true)).toBe(false);
});

test('the place of what is impossible is reported', () => {
  const events = pacesOf(traceOf('claim', 'begin', 'begin'), timeLimitMs);
  expect(matched({ kind: 'find', hasMore: false, events })).toBe(2);
});

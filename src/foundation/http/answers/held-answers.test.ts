import { expect, test } from 'vitest';
import { Problem } from '../../errors/index.ts';
import { createHeldAnswers } from './held-answers.ts';

const refused = expect.objectContaining({ status: 429 });
const outcomeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof Problem ? { status: error.status } : error;
  }
};

test('an owner can leave four long responses unread', () => {
  const answers = createHeldAnswers(1_000_000);
  const held = Array.from({ length: 4 }, () => answers.hold('ann', 1));
  expect(outcomeOf(() => answers.hold('ann', 1))).toEqual(refused);
  held[0]!.release();
  expect(outcomeOf(() => answers.hold('ann', 1))).not.toEqual(refused);
});

test('all unread responses together take at most a part of the memory, and the first of an owner comes first', () => {
  const answers = createHeldAnswers(200);
  const first = answers.hold('ann', 40);
  expect(outcomeOf(() => answers.hold('ann', 40))).toEqual(refused);
  answers.hold('ben', 40);
  expect(outcomeOf(() => answers.hold('cat', 40))).toEqual(refused);
  first.release();
  expect(outcomeOf(() => answers.hold('cat', 40))).not.toEqual(refused);
});

test('a response that is longer than all may be together is sent if there is no other', () => {
  const answers = createHeldAnswers(200);
  expect(outcomeOf(() => answers.hold('ann', 1_000))).not.toEqual(refused);
});

test('a client has five minutes, and longer for what 100 kB a second do not fit into them', () => {
  const { mostMs } = createHeldAnswers(1e9).hold('ann', 30_000_000);
  expect(mostMs).toBe(600_000);
});

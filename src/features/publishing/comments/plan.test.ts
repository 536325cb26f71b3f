import { describe, expect, test } from 'vitest';
import { platformFor } from '../../../platforms/index.ts';
import type { Platform } from '../../../platforms/kit/index.ts';
import { afterFailure, type CommentResult, commentsFor, planComments, withNext } from './plan.ts';

const now = new Date('2031-02-03T04:05:06Z');
const inOneMinute = new Date('2031-02-03T04:06:06Z');
const mastodon: Platform = platformFor('mastodon')!;
const items = [{ text: 'First', delaySeconds: 60 }, { text: 'Second' }];
const statuses = (results: readonly CommentResult[]) => results.map(({ status }) => status);

describe('the first comments of a post', () => {
  test('go to the platforms that they name, or to all', () => {
    const comments = [
      { text: 'all' },
      { text: 'none named', platforms: [] },
      { text: 'x', platforms: ['twitter'] },
      { text: 'both', platforms: ['twitter', 'mastodon'] },
    ];
    expect(commentsFor(comments, 'mastodon').map(({ text }) => text)).toEqual(['all', 'none named', 'both']);
  });

  test('are due one after the other, the first after its delay', () => {
    const { results, runAt } = planComments(items, mastodon, now);
    expect(runAt).toEqual(inOneMinute);
    expect(results).toMatchObject([
      { status: 'pending', dueAt: inOneMinute.toISOString() },
      { status: 'pending', dueAt: null },
    ]);
  });

  test.each([
    ['has no comments', { ...mastodon, comment: undefined }],
    ['takes no first comments', { ...mastodon, limits: { ...mastodon.limits, firstComment: null } }],
  ])('are skipped where the platform %s', (_, platform) => {
    const { results, runAt } = planComments(items, platform as Platform, now);
    expect(runAt).toBeNull();
    expect(results).toMatchObject(Array(2).fill({ status: 'skipped', skipReason: 'unsupported_platform' }));
  });

  test('continue with the first that is pending, without a delay if it has none', () => {
    const [first, second] = planComments(items, mastodon, now).results;
    const next = withNext([{ ...first!, status: 'posted' }, second!], items, inOneMinute);
    expect(next).toMatchObject({ runAt: inOneMinute, results: [{}, { dueAt: inOneMinute.toISOString() }] });
    const all = [first!, second!].map((result) => ({ ...result, status: 'posted' as const }));
    expect(withNext(all, items, now)).toEqual({ results: all, runAt: null });
  });
});

test('a first comment that fails ends those after it, and none before it', () => {
  const three = planComments([...items, { text: 'Third' }, { text: 'Fourth' }], mastodon, now).results;
  const [first, second, third, fourth] = three.map((result) => ({ ...result }));
  const before = [
    { ...first!, status: 'posted' as const },
    second!,
    third!,
    { ...fourth!, status: 'skipped' as const },
  ];
  const error = { code: 'RATE_LIMITED', message: 'Later.', platformStatusCode: 429, outcomeUnknown: true };
  const { results, runAt } = afterFailure(before, 1, error, now);
  expect([runAt, statuses(results)]).toEqual([null, ['posted', 'failed', 'failed', 'skipped']]);
  expect(results[1]).toMatchObject({ error, attemptedAt: now.toISOString() });
  expect(results[2]).toMatchObject({
    error: { code: 'FIRST_COMMENT_NOT_ATTEMPTED', outcomeUnknown: false },
    attemptedAt: null,
  });
});

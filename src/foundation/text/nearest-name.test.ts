import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const known = ['content', 'platforms', 'scheduledTime', 'status', 'publishNow', 'mediaUrls', 'page', 'limit'];

test.each([
  ['scheduleTime', 'scheduledTime'],
  ['scheduled_time', 'scheduledTime'],
  ['publish_now', 'publishNow'],
  ['PublishNow', 'publishNow'],
  ['stats', 'status'],
  ['platform', 'platforms'],
  ['media', 'mediaUrls'],
  ['contnet', 'content'],
  ['pages', 'page'],
])('%s means %s', (typed, name) => {
  expect(nearestName(typed, known)).toBe(name);
});

test.each(['colour', 'id', '', '---', 'x'.repeat(100_000)])('nothing is close to %.10s', (typed) => {
  expect(nearestName(typed, known)).toBeNull();
});

test('the same letters in another case win over a name that is one letter away', () => {
  for (const both of [
    ['firstComment', 'firstComments'],
    ['firstComments', 'firstComment'],
  ]) {
    expect(nearestName('firstcomments', both)).toBe('firstComments');
    expect(nearestName('FIRST_COMMENT', both)).toBe('firstComment');
  }
});

test('the closest of several names wins', () => {
  expect(nearestName('firstComent', ['firstComments', 'firstComment'])).toBe('firstComment');
});

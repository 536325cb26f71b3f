import { describe, expect, test } from 'vitest';
import { emptyDraft } from '../draft.ts';
import { isAsStored } from './post-of-draft.ts';

describe('a draft matches the server', () => {
  const draft = { ...emptyDraft, text: 'Hello', date: '2027-03-28', time: '02:30' };

  test.each([
    ['if the server has the later time for one that clocks skip', { time: '03:30' }, true],
    ['unless the server has another time', { time: '04:30' }, false],
    ['unless the server has no time', { date: '', time: '' }, false],
    ['unless the server has other labels', { time: '03:30', labels: ['launch'] }, false],
    ['unless the server has another text', { time: '03:30', text: 'Hi' }, false],
  ])('%s', (_, stored, expected) => {
    expect(isAsStored({ ...draft, ...stored }, draft, 'Europe/Berlin')).toBe(expected);
  });

  test('regardless of a time that is still incomplete', () => {
    for (const [date, time] of [
      ['tomorrow', '9'],
      ['2027-03-28', '25:00'],
    ])
      expect(isAsStored({ ...draft, date: '', time: '' }, { ...draft, date: date!, time: time! }, 'UTC')).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { daysOf, instantsOf, readDates } from './dates.ts';

test.for([
  ['today', '2027-03-04', '2027-03-04'],
  ['last-7-days', '2027-02-26', '2027-03-04'],
  ['last-30-days', '2027-02-03', '2027-03-04'],
  ['this-month', '2027-03-01', '2027-03-31'],
  ['next-7-days', '2027-03-04', '2027-03-10'],
  ['2027-01-01..2027-01-31', '2027-01-01', '2027-01-31'],
  ['2027-01-01..', '2027-01-01', null],
  ['..2027-01-31', null, '2027-01-31'],
])('%s: from %s to %s', ([dates, from, to]) => {
  expect(readDates(dates)).toBe(dates);
  expect(daysOf(dates!, '2027-03-04')).toEqual({ from, to });
});

test.for(['', 'yesterday', '2027-01-01', '2027-13-01..', '2027-01-01..2027-01-02..2027-01-03', 7, undefined])(
  '%j is no date filter',
  (text) => expect(readDates(text)).toBe(null),
);

test('days begin and end at midnight in the time zone of the person, also when clocks change', () => {
  expect(instantsOf({ from: '2027-03-28', to: '2027-03-28' }, 'Europe/Berlin')).toEqual({
    from: '2027-03-27T23:00:00.000Z',
    to: '2027-03-28T21:59:59.999Z',
  });
  expect(instantsOf({ from: null, to: null }, 'Europe/Berlin')).toEqual({});
});

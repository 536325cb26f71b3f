import { expect, test } from 'vitest';
import { keysOf, movedByKey } from './keys.ts';

const at = new Date('2027-03-24T09:30:00Z');
const moved = (key: string, view: 'month' | 'week' | 'day', altKey = false, zone = 'UTC') =>
  movedByKey(at, { key, altKey }, view, zone)?.toISOString().slice(0, 16);

test.each([
  ['ArrowLeft', 'month', '2027-03-23T09:30'],
  ['ArrowRight', 'month', '2027-03-25T09:30'],
  ['ArrowUp', 'month', '2027-03-17T09:30'],
  ['ArrowDown', 'month', '2027-03-31T09:30'],
  ['ArrowLeft', 'week', '2027-03-23T09:30'],
  ['ArrowUp', 'week', '2027-03-24T09:15'],
  ['ArrowDown', 'week', '2027-03-24T09:45'],
  ['ArrowRight', 'day', '2027-03-25T09:30'],
  ['ArrowDown', 'day', '2027-03-24T09:45'],
] as const)('%s in the %s view moves a post to %s', (key, view, expected) => {
  expect(moved(key, view)).toBe(expected);
});

test.each(['month', 'week', 'day'] as const)('with Alt, arrows in the %s view move by an hour', (view) => {
  expect(moved('ArrowUp', view, true)).toBe('2027-03-24T08:30');
  expect(moved('ArrowRight', view, true)).toBe('2027-03-24T10:30');
});

test('a week later is at the same time of day, even after clocks change', () => {
  expect(moved('ArrowDown', 'month', false, 'Europe/Berlin')).toBe('2027-03-31T08:30');
});

test('other keys move nothing', () => {
  expect(moved('a', 'month')).toBeUndefined();
});

test('screen readers get the keys of the view', () => {
  expect(keysOf('month')).toMatch(/up and down by a week, with Alt by an hour/);
  expect(keysOf('day')).toMatch(/up and down by 15 minutes, with Alt by an hour/);
});

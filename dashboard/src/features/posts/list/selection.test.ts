import { expect, test } from 'vitest';
import { noSelection, toggled } from './selection.ts';

const all = ['a', 'b', 'c', 'd', 'e'];
const click = (steps: readonly (readonly [string, 'shift'?])[]) => {
  const selection = steps.reduce((before, [id, shift]) => toggled(before, id, all, shift === 'shift'), noSelection);
  return [...selection.ids].sort().join('');
};

test.each([
  ['toggles one post', [['b'], ['d'], ['b']], 'd'],
  ['selects from the last post down to this one', [['b'], ['d', 'shift']], 'bcd'],
  ['selects from the last post up to this one', [['d'], ['a', 'shift']], 'abcd'],
  ['extends from the end of the previous range', [['b'], ['c', 'shift'], ['e', 'shift']], 'bcde'],
  ['deselects the range if this one was selected', [['a'], ['e', 'shift'], ['b'], ['d', 'shift']], 'ae'],
  ['selects this one without an earlier one', [['c', 'shift']], 'c'],
] as const)('a click %s', (_, steps, selected) => {
  expect(click(steps)).toBe(selected);
});

test('a click with Shift selects only this one if the last one has left the list', () => {
  const selection = toggled({ ids: new Set(['gone']), last: 'gone' }, 'c', all, true);
  expect([...selection.ids]).toEqual(['gone', 'c']);
});

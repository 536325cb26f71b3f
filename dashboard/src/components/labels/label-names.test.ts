import { expect, test } from 'vitest';
import { asLabels } from './label-names.ts';

const rules = { perPost: 3, length: 10 };

test('labels are trimmed, without control characters, and listed once', () => {
  expect(asLabels([' launch ', 'two\nlines', 'launch', ' '], [], rules)).toEqual(['launch', 'two lines']);
});

test('a label in other case is the one in use', () => {
  expect(asLabels(['LAUNCH', 'Beta'], ['launch', 'beta', 'Beta'], rules)).toEqual(['launch', 'Beta']);
});

test('pasted labels keep to the limits of the API', () => {
  expect(asLabels(['a very long label', 'b', 'c', 'd'], [], rules)).toEqual(['a very lon', 'b', 'c']);
});

import { expect, test } from 'vitest';
import { sharedText } from './shared-text.ts';

const nothing = { title: '', text: '', url: '' };

test.each([
  [
    'a link with its title',
    { title: 'Open days', text: '', url: 'https://example.com/a' },
    'Open days\nhttps://example.com/a',
  ],
  [
    'a link that is also in the text',
    { ...nothing, text: 'See https://example.com/a', url: 'https://example.com/a' },
    'See https://example.com/a',
  ],
  ['the same title and text', { ...nothing, title: 'Open days', text: 'Open days ' }, 'Open days'],
  ['a photo without words', nothing, ''],
])('%s', (_what, shared, text) => {
  expect(sharedText(shared)).toBe(text);
});

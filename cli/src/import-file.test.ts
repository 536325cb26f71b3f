import { expect, test } from 'vitest';
import { readRows } from './import-file.ts';

const head = 'text,to\n';

test('a quote that is not closed is reported with its line, and does not take the rest of the file for a text', () => {
  const { rows, problems } = readRows(
    'posts.csv',
    `${head}One,mastodon\n\n"Two,mastodon\nThree,mastodon\nFour,mastodon\n`,
  );
  expect(rows.map(({ text }) => text)).toEqual(['One']);
  expect(problems).toEqual([
    { line: 4, code: 'QUOTE_NOT_CLOSED', message: expect.stringContaining('a quote begins that is not closed') },
  ]);
});

test('the line of a quote that is not closed is its own, also where the row began before', () => {
  const { rows, problems } = readRows('posts.csv', `${head}"One\ntwo","mastodon\nThree,mastodon`);
  expect([rows, problems.map(({ line }) => line)]).toEqual([[], [3]]);
});

test('quotes that are closed may have line breaks, commas and doubled quotes', () => {
  const { rows, problems } = readRows('posts.csv', `${head}"One,\n""two""",mastodon\nThree,mastodon`);
  expect(problems).toEqual([]);
  expect(rows).toMatchObject([
    { line: 2, text: 'One,\n"two"' },
    { line: 4, text: 'Three' },
  ]);
});

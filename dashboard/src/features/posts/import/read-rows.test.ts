import { describe, expect, test } from 'vitest';
import { type ImportRow, readRows } from './read-rows.ts';

describe('an imported file', () => {
  const row = (more: Partial<ImportRow>): ImportRow => ({
    line: 2,
    text: 'Hello',
    to: [],
    at: null,
    media: [],
    alt: [],
    comments: [],
    ...more,
  });

  test('can be CSV with quotes, line breaks, commas and doubled quotes', () => {
    const csv = 'Text,to,at\r\n"Hello, ""world""\nand more",mastodon;bluesky,2030-03-04 09:00\r\n\r\nLast,x,\r\n';
    expect(readRows('posts.csv', `\ufeff${csv}`)).toEqual({
      rows: [
        row({ text: 'Hello, "world"\nand more', to: ['mastodon', 'bluesky'], at: '2030-03-04 09:00' }),
        row({ line: 5, text: 'Last', to: ['x'] }),
      ],
      problems: [],
    });
  });

  test.each([
    ['semicolons', 'text;at\nHello;2030-03-04 09:00'],
    ['tabs', 'text\tat\nHello\t2030-03-04 09:00'],
    ['JSON lines', '{"text":"Hello","at":"2030-03-04 09:00"}'],
  ])('can use %s', (kind, content) => {
    const { rows } = readRows(kind === 'JSON lines' ? 'posts.jsonl' : 'posts.csv', content);
    expect(rows).toMatchObject([{ text: 'Hello', at: '2030-03-04 09:00' }]);
  });

  test('can have threads, files with alt texts, and comments', () => {
    const csv =
      'text,thread,media,alt,comment\nOne,Two;Three,https://a/1;https://a/2,;Second,Read on\n"A\n\nB",true,,,';
    expect(readRows('posts.csv', csv).rows).toMatchObject([
      {
        text: 'One\n---\nTwo\n---\nThree',
        media: ['https://a/1', 'https://a/2'],
        alt: ['', 'Second'],
        comments: ['Read on'],
      },
      { text: 'A\n---\nB' },
    ]);
  });

  test.each([
    ['Hello,mastodon', 'The first line must list the columns'],
    ['text,when\nHello,now', 'Unknown column: when'],
    ['text\nHello, world', 'This row has 2 cells, but the header has 1'],
  ])('%j is explained: %s', (content, message) => {
    expect(readRows('posts.csv', content).problems).toMatchObject([{ message: expect.stringContaining(message) }]);
  });
});

import { describe, expect, test } from 'vitest';
import { guessColumns, isForeign } from './columns.ts';
import { type ImportRow, isJsonLines, readJsonLines, readTable, rowsOf } from './read-rows.ts';

function readRows(name: string, content: string) {
  if (isJsonLines(name)) return readJsonLines(content);
  const table = readTable(content);
  return rowsOf(table, guessColumns(table.names));
}

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
    ['posts.jsonl', '{"text":"Hello","when":"now"}', 'Unknown column: when'],
    ['posts.csv', 'text\nHello, world', 'This row has 2 cells, but the header has 1'],
  ])('%s with %j is explained: %s', (name, content, message) => {
    expect(readRows(name, content).problems).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  test.each([
    ['Message,Publish date,Network,Image URL', ['text', 'at', 'to', 'media']],
    ['Datum;Uhrzeit;Kanal;Beitrag;Bild;Notizen', ['at', 'time', 'to', 'text', 'media', null]],
    ['Date,Time,Post text,Alt text', ['at', 'time', 'text', 'alt']],
    ['Caption,text', [null, 'text']],
    ['Hello,World', [null, null]],
  ])('with other columns (%s) is read by a guess', (head, columns) => {
    const { names } = readTable(head);
    expect([isForeign(names), guessColumns(names)]).toEqual([true, columns]);
  });

  test('takes the time of a separate column, and ignores columns that aren’t imported', () => {
    const table = readTable('Datum;Uhrzeit;Beitrag;Notiz\n23.11.2026;9:00;Hallo;intern\n24.11.2026;;Später;');
    expect(rowsOf(table, guessColumns(table.names)).rows).toMatchObject([
      { text: 'Hallo', at: '23.11.2026 9:00' },
      { text: 'Später', at: '24.11.2026' },
    ]);
    expect(rowsOf(table, [null, null, null, 'text']).rows).toMatchObject([{ text: 'intern', at: null }, { text: '' }]);
    expect(rowsOf(table, [null, null, null, null]).rows).toEqual([]);
    expect(isForeign(['Text', 'to', 'at', ''])).toBe(false);
  });
});

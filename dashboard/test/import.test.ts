import type { Connection } from '@crier/client';
import { describe, expect, test } from 'vitest';
import { type ImportChoices, prepareRows } from '../src/features/posts/import/prepare-rows.ts';
import { type ImportRow, readRows } from '../src/features/posts/import/read-rows.ts';

describe('a file that is imported', () => {
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

  test('is CSV with quotes, line breaks, commas and doubled quotes', () => {
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
  ])('may have %s', (kind, content) => {
    const { rows } = readRows(kind === 'JSON lines' ? 'posts.jsonl' : 'posts.csv', content);
    expect(rows).toMatchObject([{ text: 'Hello', at: '2030-03-04 09:00' }]);
  });

  test('has threads, files with alt texts, and comments', () => {
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
    ['Hello,mastodon', 'The first line must name the columns'],
    ['text,when\nHello,now', 'There is no column when'],
    ['text\nHello, world', 'There are 2 cells for 1 columns'],
  ])('%j is explained: %s', (content, message) => {
    expect(readRows('posts.csv', content).problems).toMatchObject([{ message: expect.stringContaining(message) }]);
  });
});

describe('a row', () => {
  const channel = (platformId: string, username: string) =>
    ({ platformId, platform: platformId.split('-')[0], username }) as Connection;
  const choices: ImportChoices = {
    channels: [channel('mastodon-1', '@ada'), channel('mastodon-2', '@bob'), channel('twitter-3', 'ada')],
    zone: 'Europe/Berlin',
    to: [],
    untimed: 'draft',
  };
  const prepare = (more: Partial<ImportRow>, chosen: Partial<ImportChoices> = {}) => {
    const row = { line: 2, text: 'Hello', to: ['x'], at: null, media: [], alt: [], comments: [], ...more };
    const { ready, problems } = prepareRows([row], { ...choices, ...chosen });
    return ready[0]?.post ?? problems[0]!.message;
  };

  test.each([
    [['x'], ['twitter-3']],
    [['mastodon:bob'], ['mastodon-2']],
    [
      ['@BOB', 'mastodon-1'],
      ['mastodon-2', 'mastodon-1'],
    ],
  ])('to %j goes to %j', (to, platforms) => expect(prepare({ to })).toMatchObject({ platforms }));

  test.each([
    [{ to: ['mastodon'] }, '“mastodon” fits several channels'],
    [{ to: ['ada'] }, '“ada” fits several channels'],
    [{ to: ['nobody'] }, 'None of your channels is called “nobody”'],
    [{ to: [] }, 'It names no account'],
    [{ at: 'tomorrow 9:00' }, '“tomorrow 9:00” is no date and time'],
    [{ at: '2027-02-31 09:00' }, 'is no date and time'],
    [{ at: '2027-02-21 24:00' }, 'is no date and time'],
    [{ at: '2027-02-21 09:60' }, 'is no date and time'],
    [{ media: ['harbour.jpg'] }, '“harbour.jpg” is no address'],
    [{ media: ['https://a/1'], alt: ['One', 'Two'] }, 'more alt texts than files'],
  ])('%j is explained: %s', (more, message) => expect(prepare(more)).toContain(message));

  test.each([
    ['2027-07-01 09:00', '2027-07-01T07:00:00.000Z'],
    ['2027-07-01T9:00', '2027-07-01T07:00:00.000Z'],
    ['2027-07-01T09:00:00Z', '2027-07-01T09:00:00.000Z'],
    ['2027-07-01 09:00 +0530', '2027-07-01T03:30:00.000Z'],
    ['next-slot', 'next-slot'],
  ])('at %s is scheduled for %s', (at, scheduledTime) =>
    expect(prepare({ at })).toMatchObject({ scheduledTime, status: 'scheduled' }),
  );

  test('without a time or an account is what the person chose', () => {
    expect(prepare({})).toMatchObject({ status: 'draft' });
    expect(prepare({ to: [] }, { to: ['mastodon-1'], untimed: 'publish' })).toMatchObject({
      platforms: ['mastodon-1'],
      publishNow: true,
    });
  });

  test('has the same key whenever it is read, and another one than every other row', () => {
    const twice = { line: 2, text: 'Same', to: ['x'], at: null, media: [], alt: [], comments: [] };
    const keys = () =>
      prepareRows([twice, { ...twice, line: 3 }, { ...twice, text: 'Other' }], choices).ready.map(
        ({ post }) => post.idempotencyKey,
      );
    expect(new Set(keys()).size).toBe(3);
    expect(keys()).toEqual(keys());
  });
});

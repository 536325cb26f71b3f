import type { Connection } from '@crier/client';
import { casual as german } from 'chrono-node/de';
import { GB as english } from 'chrono-node/en';
import { describe, expect, test } from 'vitest';
import { orderOf } from '../../../lib/time/read-date.ts';
import { wallTime } from '../../../lib/time/time.ts';
import { type ImportChoices, prepareRows } from './prepare-rows.ts';
import type { ImportRow } from './read-rows.ts';

describe('a row', () => {
  const channel = (platformId: string, username: string) =>
    ({ platformId, platform: platformId.split('-')[0], username }) as Connection;
  const choices: ImportChoices = {
    channels: [channel('mastodon-1', '@ada'), channel('mastodon-2', '@bob'), channel('twitter-3', 'ada')],
    zone: 'Europe/Berlin',
    dates: { today: wallTime('2026-11-16T08:00:00Z', 'Europe/Berlin'), order: 'dayFirst', phrases: [german, english] },
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
    [{ to: ['mastodon'] }, '“mastodon” matches several channels'],
    [{ to: ['ada'] }, '“ada” matches several channels'],
    [{ to: ['unknown'] }, 'No channel is named “unknown”'],
    [{ to: [] }, 'No channel given'],
    [{ at: 'tomorrow 9:00' }, '“tomorrow 9:00” isn’t a date and time'],
    [{ at: '1.7. 9:00' }, 'isn’t a date and time'],
    [{ at: '1.7.2027' }, 'isn’t a date and time'],
    [{ at: '2027-02-31 09:00' }, 'isn’t a date and time'],
    [{ at: '2027-02-21 24:00' }, 'isn’t a date and time'],
    [{ at: '2027-02-21 09:60' }, 'isn’t a date and time'],
    [{ media: ['harbour.jpg'] }, '“harbour.jpg” isn’t a URL'],
    [{ media: ['https://a/1'], alt: ['One', 'Two'] }, 'More alt texts than files'],
  ])('%j is explained: %s', (more, message) => expect(prepare(more)).toContain(message));

  test.each([
    ['2027-07-01 09:00', '2027-07-01T07:00:00.000Z'],
    ['2027-07-01T9:00', '2027-07-01T07:00:00.000Z'],
    ['2027-07-01T09:00:00Z', '2027-07-01T09:00:00.000Z'],
    ['2027-07-01 09:00 +0530', '2027-07-01T03:30:00.000Z'],
    ['1.7.2027 9:00', '2027-07-01T07:00:00.000Z'],
    ['01.07.27, 9 Uhr', '2027-07-01T07:00:00.000Z'],
    ['1/7/2027 09:00:00', '2027-07-01T07:00:00.000Z'],
    ['7/13/2027 2:30 PM', '2027-07-13T12:30:00.000Z'],
    ['1. Juli 2027 14:30', '2027-07-01T12:30:00.000Z'],
    ['July 1, 2027 2:30 pm', '2027-07-01T12:30:00.000Z'],
    ['next-slot', 'next-slot'],
  ])('at %s is scheduled for %s', (at, scheduledTime) =>
    expect(prepare({ at })).toMatchObject({ scheduledTime, status: 'scheduled' }),
  );

  test.each([
    [['5/12/2027', '23/11/2027'], 'en-US', 'dayFirst'],
    [['5/12/2027', '11/23/2027'], 'de', 'monthFirst'],
    [['5/12/2027'], 'en-US', 'monthFirst'],
    [['5/12/2027', '23.11.2027'], 'de', 'dayFirst'],
    [['13/1/2027', '1/13/2027'], 'ja', 'yearFirst'],
  ])('is read in the order of all dates of its file: %j in %s are %s', (written, locale, order) => {
    expect(orderOf(written, locale)).toBe(order);
  });

  test('without a time or channel uses the user’s choices', () => {
    expect(prepare({})).toMatchObject({ status: 'draft' });
    expect(prepare({ to: [] }, { to: ['mastodon-1'], untimed: 'publish' })).toMatchObject({
      platforms: ['mastodon-1'],
      publishNow: true,
    });
  });

  test('has a stable key that differs from every other row', () => {
    const twice = { line: 2, text: 'Same', to: ['x'], at: null, media: [], alt: [], comments: [] };
    const keys = () =>
      prepareRows([twice, { ...twice, line: 3 }, { ...twice, text: 'Other' }], choices).ready.map(
        ({ post }) => post.idempotencyKey,
      );
    expect(new Set(keys()).size).toBe(3);
    expect(keys()).toEqual(keys());
  });
});

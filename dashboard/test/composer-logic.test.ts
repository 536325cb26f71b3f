import { GB, casual as phrases } from 'chrono-node/en';
import { describe, expect, test } from 'vitest';
import { coverSize } from '../src/features/composer/cover-size.ts';
import { cutsIn } from '../src/features/composer/cuts.ts';
import {
  type Draft,
  type DraftAction,
  draftFor,
  emptyDraft,
  historyOf,
  isBlank,
  reduceHistory,
} from '../src/features/composer/draft.ts';
import { issuesOf, noticesOf } from '../src/features/composer/issues.ts';
import { isAsStored } from '../src/features/composer/post-of-draft.ts';
import { type Content, fieldsThatMatter, withoutOrphans } from '../src/features/composer/settings-relevance.ts';
import { readWhen } from '../src/features/composer/when.ts';
import { readTime } from '../src/lib/read-time.ts';

/** One step per second, so that nothing is undone together. */
const after = (...actions: (DraftAction & { at?: number })[]) =>
  actions.reduce(
    (history, action, index) => reduceHistory(history, { at: index * 1000, ...action }),
    historyOf(emptyDraft),
  );

describe('the draft of the composer', () => {
  test('takes texts, channels and options', () => {
    const { draft } = after(
      { type: 'text', text: 'Hello' },
      { type: 'channel', id: 'mastodon-1', chosen: true },
      { type: 'channel', id: 'bluesky-1', chosen: true },
      { type: 'channel', id: 'mastodon-1', chosen: false },
      { type: 'override', id: 'bluesky-1', text: 'Hello, sky' },
      { type: 'setting', platform: 'telegram', name: 'protectContent', value: true },
    );
    expect(draft).toEqual({
      ...emptyDraft,
      text: 'Hello',
      channels: ['bluesky-1'],
      overrides: { 'bluesky-1': 'Hello, sky' },
      settings: { telegram: { protectContent: true } },
    } satisfies Draft);
  });

  test('undoes and redoes across text and channels', () => {
    const history = after(
      { type: 'text', text: 'Hello' },
      { type: 'channel', id: 'mastodon-1', chosen: true },
      { type: 'undo' },
      { type: 'undo' },
    );
    expect(isBlank(history.draft)).toBe(true);
    const again = reduceHistory(reduceHistory(history, { type: 'redo', at: 1 }), { type: 'redo', at: 2 });
    expect([again.draft.text, again.draft.channels]).toEqual(['Hello', ['mastodon-1']]);
    expect(reduceHistory(again, { type: 'redo', at: 3 })).toBe(again);
  });

  test('undoes quick typing in one step, and a pause begins a new one', () => {
    const typed = after(
      { type: 'text', text: 'H', at: 0 },
      { type: 'text', text: 'Hi', at: 200 },
      { type: 'text', text: 'Hi you', at: 2000 },
      { type: 'undo', at: 2100 },
    );
    expect(typed.draft.text).toBe('Hi');
    expect(reduceHistory(typed, { type: 'undo', at: 2200 }).draft.text).toBe('');
  });

  test('takes all channels in one step', () => {
    const both = ['mastodon-1', 'bluesky-1'];
    const history = after({ type: 'channels', ids: both });
    expect(history.draft.channels).toEqual(both);
    expect(reduceHistory(history, { type: 'undo', at: 1 }).draft.channels).toEqual([]);
  });

  test('is nothing to keep as long as only channels are chosen', () => {
    const { draft } = after({ type: 'channel', id: 'mastodon-1', chosen: true });
    expect(isBlank(draft)).toBe(true);
    expect(isBlank({ ...draft, text: 'H' })).toBe(false);
  });

  test('for some of its channels has only the comments for these', () => {
    const comment = (text: string, platforms: string[]) => ({ text, platforms, delaySeconds: 0 });
    const draft: Draft = {
      ...emptyDraft,
      channels: ['mastodon-1', 'twitter-1', 'linkedin-1'],
      comments: [comment('all', []), comment('two', ['mastodon', 'twitter']), comment('one', ['mastodon'])],
    };
    expect(draftFor(['twitter-1', 'linkedin-1'], draft)).toEqual({
      ...draft,
      channels: ['twitter-1', 'linkedin-1'],
      comments: [comment('all', []), comment('two', ['twitter'])],
    });
  });

  test('forgets what was undone once something else is written', () => {
    const { future } = after({ type: 'text', text: 'a' }, { type: 'undo' }, { type: 'text', text: 'b' });
    expect(future).toEqual([]);
  });
});

const berlin = { now: new Date('2026-11-16T08:00:00Z'), timeZone: 'Europe/Berlin', phrases };
const at = (date: string, time = '', clock = berlin) => {
  const when = readWhen(date, time, clock);
  return when.kind === 'at' ? when.at.toISOString() : when.kind;
};

describe('"Date" and "Time"', () => {
  test.each([
    ['2026-12-24', '18:00', '2026-12-24T17:00:00.000Z'],
    ['2026-12-24 18:00', '', '2026-12-24T17:00:00.000Z'],
    ['tomorrow 9', '', '2026-11-17T08:00:00.000Z'],
    ['tomorrow', '9', '2026-11-17T08:00:00.000Z'],
    ['day after tomorrow 9', '', '2026-11-18T08:00:00.000Z'],
    ['the day after tomorrow', '9', '2026-11-18T08:00:00.000Z'],
    ['tomorrow at 9', '', '2026-11-17T08:00:00.000Z'],
    ['fri 14:30', '', '2026-11-20T13:30:00.000Z'],
    ['next monday 2pm', '', '2026-11-23T13:00:00.000Z'],
    ['24 dec', '9:00', '2026-12-24T08:00:00.000Z'],
    ['dec 24', '9:00', '2026-12-24T08:00:00.000Z'],
    ['in 3 days', '10', '2026-11-19T09:00:00.000Z'],
    ['tomorrow morning', '', '2026-11-17T08:00:00.000Z'],
    ['tuesday morning', '', '2026-11-17T08:00:00.000Z'],
    ['tomorrow noon', '', '2026-11-17T11:00:00.000Z'],
    ['friday afternoon', '', '2026-11-20T14:00:00.000Z'],
    ['tomorrow evening', '', '2026-11-17T17:00:00.000Z'],
    ['this evening', '', '2026-11-16T17:00:00.000Z'],
    ['tomorrow morning', '8:15', '2026-11-17T07:15:00.000Z'],
    ['17.11. 9 Uhr', '', '2026-11-17T08:00:00.000Z'],
    ['17.11. um 9.30 Uhr', '', '2026-11-17T08:30:00.000Z'],
    ['17.11. 10', '', '2026-11-17T09:00:00.000Z'],
    ['17.11', '9h30', '2026-11-17T08:30:00.000Z'],
    ['24.12.2026, 18:00', '', '2026-12-24T17:00:00.000Z'],
    ['24. 12. 2026', '18:00', '2026-12-24T17:00:00.000Z'],
    ['24.12.26', '18:00', '2026-12-24T17:00:00.000Z'],
    ['3.1. 9:00', '', '2027-01-03T08:00:00.000Z'],
    ['tomorrow 9 Uhr', '', '2026-11-17T08:00:00.000Z'],
    ['fri 14h30', '', '2026-11-20T13:30:00.000Z'],
    ['', '23:00', '2026-11-16T22:00:00.000Z'],
  ])('%j and %j mean %s', (date, time, expected) => {
    expect(at(date, time)).toBe(expected);
  });

  test.each(['', 'soon-ish', '2026-02-30', '31.2.', '14.30', '17.11. soon'])(
    '%j with 9:00 is not a date or needs one',
    (date) => {
      expect(['unclear', 'past']).toContain(at(date, '9:00'));
    },
  );

  test('figures without a month in words are read as the person writes them', () => {
    expect(at('5/12/2026', '9:00')).toBe('past');
    expect(at('5/12/2026', '9:00', { ...berlin, phrases: GB })).toBe('2026-12-05T08:00:00.000Z');
  });

  test('the past is refused', () => {
    expect(at('2026-11-16', '8:59')).toBe('past');
    expect(at('2026-11-16', '9:01')).toBe('2026-11-16T08:01:00.000Z');
    expect(at('yesterday', '')).toBe('past');
    expect(at('today', '')).toBe('unclear');
  });

  test('words are understood in the zone of the person, not of the browser', () => {
    const auckland = { now: new Date('2026-11-16T23:30:00Z'), timeZone: 'Pacific/Auckland', phrases };
    expect(at('today', '18:00', auckland)).toBe('2026-11-17T05:00:00.000Z');
  });

  test('a time that the clocks skip is explained', () => {
    const when = readWhen('2027-03-28', '2:30', berlin);
    expect(when).toMatchObject({ kind: 'at', time: '02:30', date: '2027-03-28' });
    expect(when.kind === 'at' && when.note).toContain('skip 02:30. The post goes out at 03:30');
    expect(at('2027-03-28', '2:30')).toBe('2027-03-28T01:30:00.000Z');
  });

  test('a time that the clocks show twice is the first', () => {
    const when = readWhen('2027-10-31', '2:30', berlin);
    expect(when.kind === 'at' && [when.at, when.note]).toEqual([
      new Date('2027-10-31T00:30:00Z'),
      expect.stringContaining('show 02:30 twice'),
    ]);
  });

  test.each([
    ['2:30 PM', { hour: 14, minute: 30 }],
    ['12am', { hour: 0, minute: 0 }],
    ['14.30', { hour: 14, minute: 30 }],
    ['9 Uhr', { hour: 9, minute: 0 }],
    ['9 Uhr 30', { hour: 9, minute: 30 }],
    ['9h', { hour: 9, minute: 0 }],
    ['25:00', null],
    ['13pm', null],
  ])('%s is read as a time', (text, expected) => {
    expect(readTime(text)).toEqual(expected);
  });
});

describe('a draft is as the server has it', () => {
  const draft = { ...emptyDraft, text: 'Hello', date: '2027-03-28', time: '02:30' };

  test.each([
    ['if the server has the later time in place of one that the clocks skip', { time: '03:30' }, true],
    ['unless the server has another time', { time: '04:30' }, false],
    ['unless the server has no time', { date: '', time: '' }, false],
    ['unless the server has another text', { time: '03:30', text: 'Hi' }, false],
  ])('%s', (_, stored, expected) => {
    expect(isAsStored({ ...draft, ...stored }, draft, 'Europe/Berlin')).toBe(expected);
  });

  test('whatever its time is, as long as that is not settled', () => {
    for (const [date, time] of [
      ['tomorrow', '9'],
      ['2027-03-28', '25:00'],
    ])
      expect(isAsStored({ ...draft, date: '', time: '' }, { ...draft, date: date!, time: time! }, 'UTC')).toBe(true);
  });
});

describe('what the composer says about a post', () => {
  const found = (severity: 'error' | 'warning', message: string) =>
    issuesOf([{ platform: 'twitter', code: 'CONTENT_TOO_LONG', message, field: 'content', severity }]);

  test('calls X by the name that people know', () => {
    const message = "Content exceeds Twitter/X's 280 character limit (currently 330)";
    expect(found('error', message)).toMatchObject([
      { message: "Content exceeds X's 280 character limit (currently 330)" },
    ]);
  });

  test('is not that a text is too long where it becomes a thread', () => {
    expect(found('warning', "Content exceeds Twitter/X's 280 character limit (currently 330)")).toEqual([]);
  });

  test('names every network that has the same text', () => {
    const duplicate = (platformId: string) => ({
      code: 'DUPLICATE_CONTENT',
      message: '',
      platformId,
      postGroupId: 'p',
    });
    const [one] = noticesOf([duplicate('twitter-1')]);
    expect(one).toMatchObject({ severity: 'warning', postGroupId: 'p' });
    expect(one!.message).toMatch(/already on X, or planned for it/);
    const [both] = noticesOf([duplicate('twitter-1'), duplicate('linkedin-1')]);
    expect(both!.message).toMatch(/already on X and LinkedIn, or planned for them/);
  });
});

describe('the cuts of a thread', () => {
  test('are found in the text, with the numbers that the service adds', () => {
    const text = 'One sentence. Another one.\n---\nThe last.';
    expect(cutsIn(text, ['One sentence. (1/3)', 'Another one. (2/3)', 'The last. (3/3)'])).toEqual([
      { at: 14, label: '2/3' },
      { at: 31, label: '3/3' },
    ]);
  });

  test('end where the text was changed since', () => {
    expect(cutsIn('One. Two changed. Three.', ['One.', 'Two.', 'Three.'])).toEqual([]);
    expect(cutsIn('One. Two. Three changed.', ['One.', 'Two.', 'Three.'])).toEqual([{ at: 5, label: '2/3' }]);
  });
});

describe('the options that matter', () => {
  const field = (name: string, defaultValue: unknown = false) => ({
    name,
    label: name,
    help: '',
    kind: 'flag' as const,
    options: [],
    defaultValue,
    isForNewPosts: true,
  });
  const names = (platform: string, fields: string[], settings: object, content: Partial<Content> = {}) =>
    fieldsThatMatter(
      platform,
      fields.map((name) => field(name)),
      { ...settings },
      { hasLink: false, media: [], ...content },
    ).map(({ name }) => name);
  const repost = ['repostEnabled', 'repostParentUrn', 'repostVisibility'];

  test.each([
    ['linkedin', repost, {}, {}, ['repostEnabled']],
    ['linkedin', repost, { repostEnabled: true }, {}, repost],
    ['linkedin', repost, {}, { media: ['image'] }, []],
    ['linkedin', repost, { repostEnabled: true }, { media: ['image'] }, repost],
    ['telegram', ['disableWebPagePreview'], {}, {}, []],
    ['telegram', ['disableWebPagePreview'], {}, { hasLink: true }, ['disableWebPagePreview']],
    ['telegram', ['disableWebPagePreview'], { disableWebPagePreview: true }, {}, ['disableWebPagePreview']],
    ['instagram', ['shareToFeed', 'coverUrl'], { videoType: 'STORIES' }, { media: ['video'] }, []],
    ['instagram', ['shareToFeed', 'coverUrl'], {}, { media: ['video'] }, ['shareToFeed', 'coverUrl']],
  ] as const)('on %s of %j with %j and %j are %j', (platform, fields, settings, content, expected) => {
    expect(names(platform, [...fields], settings, content)).toEqual(expected);
  });

  test('go back to their defaults with the one that switches them on', () => {
    const settings = { repostEnabled: false, repostParentUrn: 'urn:li:share:1' };
    expect(withoutOrphans('linkedin', settings)).toEqual({ repostEnabled: false, repostParentUrn: '' });
    expect(withoutOrphans('linkedin', { ...settings, repostEnabled: true })).toEqual({
      repostEnabled: true,
      repostParentUrn: 'urn:li:share:1',
    });
  });
});

test.each([
  [320, 180, { width: 640, height: 360 }],
  [1280, 720, { width: 1280, height: 720 }],
  [3840, 2160, { width: 1920, height: 1080 }],
  [720, 1280, { width: 720, height: 1280 }],
])('a frame of %i × %i is large enough for a cover', (width, height, expected) => {
  expect(coverSize(width, height)).toEqual(expected);
});

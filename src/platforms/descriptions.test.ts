import { describe, expect, test } from 'vitest';
import { descriptionOf, descriptions, shownNameOf } from './descriptions.ts';
import { platforms } from './index.ts';

test('a platform is found under its own id', () => {
  for (const description of descriptions) expect(descriptionOf(description.id)).toBe(description);
});

test.for(['', 'myspace', 'constructor', '__proto__'])('%j is no platform', (id) => {
  expect(descriptionOf(id)).toBeNull();
});

test('an adapter has the numbers and settings of its description', () => {
  for (const [id, platform] of Object.entries(platforms)) expect(platform).toMatchObject({ ...descriptionOf(id) });
});

describe.for(descriptions)('$id', ({ limits, settings }) => {
  test('limits are plain data', () => {
    expect(JSON.parse(JSON.stringify(limits))).toEqual(limits);
  });

  test('a post without settings is valid, and its stored settings are read unchanged', () => {
    const stored = settings.parse({});
    expect(settings.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });

  test('every setting has a title and a description', () => {
    for (const field of Object.values(settings.shape)) {
      expect(field.meta()).toMatchObject({
        title: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
      });
    }
  });
});

const collect = <T>(read: (description: (typeof descriptions)[number]) => T | null | undefined) =>
  Object.fromEntries(
    descriptions.flatMap((description) => {
      const value = read(description);
      return value ? [[description.id, value]] : [];
    }),
  );

test('first comments have the platforms and limits of the contract', () => {
  expect(collect(({ limits }) => limits.firstComment)).toEqual({
    twitter: { max: 280, premium: 25000, unit: 'weighted', label: 'weighted characters' },
    linkedin: { max: 1250, unit: 'utf16', label: 'characters' },
    threads: { max: 500, unit: 'codepoint', label: 'code points' },
    bluesky: { max: 300, unit: 'grapheme', label: 'graphemes', maxBytes: 3000 },
    mastodon: { max: 500, unit: 'fediverse', urlLength: 23, label: 'characters' },
  });
});

test('long texts become threads on X and on Threads, split at the places that each prefers', () => {
  expect(collect(({ limits }) => limits.threads?.cuts)).toEqual({
    twitter: ['paragraph', 'sentence', 'word'],
    threads: ['paragraph', 'line', 'sentence', 'word'],
  });
});

test('only Threads accepts images and video in one post', () => {
  expect(descriptions.filter(({ limits }) => limits.mixed).map(({ id }) => id)).toEqual(['threads']);
});

test('limits that only one platform has', () => {
  expect(descriptionOf('linkedin').limits.images?.maxPixels).toBe(36_152_320);
  expect(descriptionOf('tiktok').limits.video?.framesPerSecond).toEqual({ min: 23, max: 60 });
  expect(descriptionOf('telegram').limits.text.captionMax).toBe(1024);
  expect(descriptionOf('instagram').limits.text.maxHashtags).toBe(30);
  expect(descriptionOf('threads').limits.text.maxLinks).toBe(5);
});

test('people see the name that they know, and the texts of the contract keep theirs', () => {
  expect([shownNameOf('twitter'), descriptionOf('twitter').name]).toEqual(['X', 'Twitter/X']);
  expect([shownNameOf('linkedin'), shownNameOf('unheard-of')]).toEqual(['LinkedIn', 'unheard-of']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metadataOf } from './metadata.ts';
import { settings } from './settings.ts';

type Given = Parameters<typeof settings.parse>[0];
const metadata = (text: string, given: Given = {}) =>
  metadataOf({ text, media: [], thumbnail: null, settings: settings.parse(given) });
const titleOf = (text: string, title = '') => metadata(text, { title }).snippet.title;

test('a post without settings is public, not for kids, and has the default category', () => {
  expect(metadata('The sea at dawn')).toEqual({
    snippet: { title: 'The sea at dawn', description: 'The sea at dawn', categoryId: '22' },
    status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
  });
});

test('every setting of a video is used', () => {
  const given = {
    title: 'Sea',
    privacy: 'unlisted',
    madeForKids: true,
    tags: 'sea, early <dawn>,<>',
    categoryId: '19',
  };
  expect(metadata('At dawn', given)).toEqual({
    snippet: { title: 'Sea', description: 'At dawn', tags: ['sea', 'early dawn'], categoryId: '19' },
    status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
  });
});

describe('the title', () => {
  test('is the one that was set, on one line and without angle brackets', () => {
    expect(titleOf('Text', ' The <b>sea</b>,\n at dawn ')).toBe('The bsea/b, at dawn');
  });

  test('is the first 70 characters of the text if none was set', () => {
    expect(titleOf(`${'a'.repeat(70)}b`)).toBe('a'.repeat(70));
    expect(titleOf(`\n ${'a'.repeat(69)} b`)).toBe('a'.repeat(69));
    expect(titleOf('Text', ' <> ')).toBe('Text');
  });

  test('ends between two graphemes', () => {
    const family = '👩‍👩‍👧‍👦';
    expect(titleOf(`${'a'.repeat(60)}${family}`)).toBe('a'.repeat(60));
    expect(titleOf(`${'a'.repeat(59)}${family}`)).toBe(`${'a'.repeat(59)}${family}`);
  });

  test.for(['', ' \n', '<>'])('is never empty, whatever the text: %j', (text) => {
    expect(titleOf(text)).toBe('Video');
  });

  test('is always one that YouTube accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 100 }), (text, given) => {
        const title = titleOf(text, given.replaceAll('\0', ''));
        expect(title).toMatch(/^[^<>\r\n]+$/);
        expect(title.trim()).not.toBe('');
        expect(title.length).toBeLessThanOrEqual(100);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('the description', () => {
  const descriptionOf = (text: string) => metadata(text).snippet.description;

  test('is the text, with angle brackets replaced by similar ones', () => {
    expect(descriptionOf(' 1 < 2\n<https://example.com>\n')).toBe(' 1 ‹ 2\n‹https://example.com›\n');
  });

  test('loses the brackets if there is no room for similar ones', () => {
    const rest = 'a'.repeat(4998);
    expect(descriptionOf(`${rest}<>`)).toBe(rest);
    expect(descriptionOf(`${'a'.repeat(4997)}<`)).toBe(`${'a'.repeat(4997)}‹`);
  });

  test('is the text byte for byte if it has no brackets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (any) => {
        const text = any.replaceAll(/[<>]/g, '');
        expect(descriptionOf(text)).toBe(text);
      }),
    );
  });

  test('has no more bytes than the text may have', () => {
    const dense = fc.string({ unit: fc.constantFrom('<', '>', 'a', '漢'), minLength: 1500, maxLength: 1700 });
    fc.assert(
      fc.property(dense, (text) => {
        const description = descriptionOf(text);
        expect(description).not.toMatch(/[<>]/);
        expect(Buffer.byteLength(description)).toBeLessThanOrEqual(Math.max(5000, Buffer.byteLength(text)));
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '../../foundation/errors/index.ts';
import { schemaConverter } from '../../foundation/http/openapi/schemas.ts';
import { platformIds } from '../../platforms/index.ts';
import { FirstComment, FirstCommentInput, FirstCommentsInput } from './first-comment-schema.ts';
import { checkFirstComments, fieldSent, readFirstComments } from './first-comments.ts';

const allowed = [
  'linkedin',
  'twitter',
  'threads',
  'bluesky',
  'mastodon',
  'instagram',
  'facebook',
  'youtube',
  'tiktok',
  'telegram',
];
const target = (platform: string, premium = false) => ({ platform, premium });
const blanks = fc.string({ unit: fc.constantFrom(...' \t\r\n\u00a0\u3000') });

describe('[first-comments] the input', () => {
  describe('reads', () => {
    test.each<[title: string, body: Parameters<typeof readFirstComments>[0], read: unknown]>([
      ['nothing, if neither field was sent', {}, undefined],
      ['null as clearing', { firstComment: null }, null],
      ['a null list as clearing', { firstComments: null }, null],
      ['null beside a list as not given', { firstComment: null, firstComments: [{ text: 'a' }] }, [{ text: 'a' }]],
      [
        'a null list beside a comment as not given',
        { firstComment: { text: 'a' }, firstComments: null },
        [{ text: 'a' }],
      ],
      ['two nulls as clearing', { firstComment: null, firstComments: null }, null],
      ['an empty list as clearing', { firstComments: [] }, null],
      ['a comment of blanks as clearing', { firstComment: { text: ' \n\t', platforms: ['linkedin'] } }, null],
      ['an empty comment as clearing', { firstComment: { text: '' } }, null],
      ['a list of nothing but blanks as clearing', { firstComments: [{ text: '' }, { text: ' ' }] }, null],
      ['one comment as a list of one', { firstComment: { text: 'Hi' } }, [{ text: 'Hi' }]],
      [
        'a delay of one comment',
        { firstComment: { text: 'Hi', delaySeconds: 60 } },
        [{ text: 'Hi', delaySeconds: 60 }],
      ],
      ['the text verbatim', { firstComment: { text: ' Hi\n' } }, [{ text: ' Hi\n' }]],
      [
        'an empty choice of platforms as it is',
        { firstComment: { text: 'Hi', platforms: [] } },
        [{ text: 'Hi', platforms: [] }],
      ],
      [
        'every platform type',
        { firstComment: { text: 'Hi', platforms: allowed } },
        [{ text: 'Hi', platforms: allowed }],
      ],
      [
        'three comments in their order, with what was given for each',
        {
          firstComments: [
            { text: 'b', delaySeconds: 0 },
            { text: 'a', platforms: ['twitter'] },
            { delaySeconds: 86_400, text: 'c' },
          ],
        },
        [
          { text: 'b', delaySeconds: 0 },
          { text: 'a', platforms: ['twitter'] },
          { text: 'c', delaySeconds: 86_400 },
        ],
      ],
      [
        'a list without its blank comments',
        { firstComments: [{ text: 'a' }, { text: ' ' }, { text: 'c', delaySeconds: 5 }] },
        [{ text: 'a' }, { text: 'c', delaySeconds: 5 }],
      ],
    ])('%s', (_title, body, read) => {
      expect(readFirstComments(body)).toStrictEqual(read);
    });

    test('any valid list unchanged', () => {
      const comment = fc.record(
        {
          text: fc
            .string({ unit: 'grapheme', minLength: 1 })
            .filter((text) => text.trim() !== '' && !text.includes('\0')),
          platforms: fc.array(fc.constantFrom(...allowed)),
          delaySeconds: fc.integer({ min: 0, max: 86_400 }),
        },
        { requiredKeys: ['text'], noNullPrototype: true },
      );
      fc.assert(
        fc.property(fc.array(comment, { minLength: 1, maxLength: 3 }), (firstComments) => {
          expect(readFirstComments({ firstComments })).toStrictEqual(firstComments);
          expect(readFirstComments({ firstComment: firstComments[0] })).toStrictEqual(firstComments.slice(0, 1));
        }),
      );
    });

    test('any other value as a list of comments or null, or refuses it with a code', () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.constantFrom('firstComment', 'firstComments'), (value, field) => {
          const body = problemOf(() => {
            const read = readFirstComments({ [field]: value });
            expect(z.array(FirstComment).min(1).nullable().safeParse(read).success).toBe(true);
          });
          if (body) expect(body).toMatchObject({ code: expect.stringMatching(/^FIRST_COMMENT_/) });
        }),
      );
    });
  });

  test('the name of the field that was sent', () => {
    expect(fieldSent({ firstComment: { text: 'a' }, firstComments: null })).toBe('firstComment');
    expect(fieldSent({ firstComment: null, firstComments: [] })).toBe('firstComments');
    expect(fieldSent({ firstComments: [] })).toBe('firstComments');
    expect(fieldSent({})).toBe('firstComments');
  });

  test('a comment may name every platform there is', () => {
    expect(allowed.toSorted()).toEqual(platformIds.toSorted());
  });

  describe('in the OpenAPI document', () => {
    const Body = z.object({ firstComment: FirstCommentInput, firstComments: FirstCommentsInput });

    test('both fields are described and optional, and may be null', () => {
      const { convert, components } = schemaConverter();
      const { properties, required } = convert(Body, 'input');
      expect(required).toBeUndefined();
      const item = { $ref: '#/components/schemas/FirstComment' };
      expect(properties).toMatchObject({
        firstComment: { anyOf: [item, { type: 'null' }] },
        firstComments: { anyOf: [{ type: 'array', items: item, maxItems: 3 }, { type: 'null' }] },
      });
      expect(components.FirstComment).toMatchObject({
        type: 'object',
        properties: {
          text: { type: 'string' },
          platforms: { type: 'array', items: { type: 'string' } },
          delaySeconds: { type: 'integer', minimum: 0, maximum: 86_400 },
        },
        required: ['text'],
        additionalProperties: false,
      });
    });

    test('the schema accepts everything: reading reports the errors', () => {
      for (const body of [{}, { firstComment: 'x' }, { firstComment: null, firstComments: 7 }]) {
        expect(Body.parse(body)).toStrictEqual(body);
      }
    });
  });

  describe('counts, per platform', () => {
    // Pieces of text with their count: [piece, count].
    const pieces = {
      weighted: [
        ['a', 1],
        ['é', 1],
        ['漢', 2],
        ['🙂', 2],
        ['👩‍👩‍👧‍👦', 2],
      ],
      utf16: [
        ['a', 1],
        ['é', 1],
        ['漢', 1],
        ['🙂', 2],
        ['👩‍👩‍👧‍👦', 11],
      ],
      codepoint: [
        ['a', 1],
        ['é', 1],
        ['漢', 1],
        ['🙂', 1],
        ['👩‍👩‍👧‍👦', 7],
      ],
      // Each has at most 4 bytes, so 300 of them have fewer than 3000 bytes.
      grapheme: [
        ['a', 1],
        ['é', 1],
        ['漢', 1],
        ['🙂', 1],
        ['\r\n', 1],
      ],
      mastodon: [
        ['a', 1],
        ['👩‍👩‍👧‍👦', 1],
        [' https://example.org/a/long/way/to/go?and=more ', 25],
        [' @ann@example.org ', 6],
      ],
    } satisfies Record<string, [string, number][]>;

    /** Texts that count exactly `count`, surrounded by whitespace that does not count. */
    const counting = (unit: keyof typeof pieces, count: number) =>
      fc
        .tuple(fc.array(fc.constantFrom(...pieces[unit]), { maxLength: 400 }), blanks, blanks)
        .map(([chosen, before, after]) => {
          let left = count - 2;
          let text = '';
          for (const [piece, size] of chosen) {
            if (size > left) continue;
            text += piece;
            left -= size;
          }
          return `${before}x${text}${'y'.repeat(left)}z${after}`;
        });

    const limits: [platform: string, max: number, label: string, unit: keyof typeof pieces, premium?: boolean][] = [
      ['twitter', 280, 'weighted characters', 'weighted'],
      ['twitter', 25_000, 'weighted characters', 'weighted', true],
      ['linkedin', 1250, 'characters', 'utf16'],
      ['threads', 500, 'code points', 'codepoint'],
      ['bluesky', 300, 'graphemes', 'grapheme'],
      ['mastodon', 500, 'characters', 'mastodon'],
    ];

    test.each(limits)('%s takes %i %s', (platform, max, _label, unit, premium) => {
      fc.assert(
        fc.property(counting(unit, max), (text) => {
          expect(checkFirstComments([{ text }], [target(platform, premium)])).toEqual({ warnings: [] });
        }),
        { numRuns: 30 },
      );
    });

    test.each(limits)('%s refuses one more than %i %s', (platform, max, label, unit, premium) => {
      fc.assert(
        fc.property(counting(unit, max + 1), (text) => {
          expect(problemOf(() => checkFirstComments([{ text }], [target(platform, premium)], 'firstComment'))).toEqual({
            status: 400,
            error: `First comment is too long for ${platform}: ${max + 1} ${label}, limit ${max}`,
            code: 'FIRST_COMMENT_TOO_LONG',
            field: 'firstComment.text',
            platform,
            limit: max,
            count: max + 1,
            unit: label,
          });
        }),
        { numRuns: 30 },
      );
    });

    // A family emoji has 25 bytes: with at least 113 of them, a text of 3000 bytes has fewer than 300 graphemes.
    const families = fc.integer({ min: 113, max: 119 });
    const ofBytes = (bytes: number) => families.map((n) => '👩‍👩‍👧‍👦'.repeat(n) + 'a'.repeat(bytes - 25 * n));

    test('bluesky takes 3000 bytes, and refuses one more, within 300 graphemes', () => {
      fc.assert(
        fc.property(ofBytes(3000), ofBytes(3001), (fitting, long) => {
          expect(checkFirstComments([{ text: fitting }], [target('bluesky')])).toEqual({ warnings: [] });
          expect(problemOf(() => checkFirstComments([{ text: long }], [target('bluesky')]))).toMatchObject({
            error: 'First comment is too long for bluesky: 3001 bytes, limit 3000',
            code: 'FIRST_COMMENT_TOO_LONG',
            limit: 3000,
            count: 3001,
            unit: 'bytes',
          });
        }),
      );
    });

    test('a text with too many graphemes and too many bytes is reported in graphemes', () => {
      const text = '👩‍👩‍👧‍👦'.repeat(301);
      expect(problemOf(() => checkFirstComments([{ text }], [target('bluesky')]))).toMatchObject({ unit: 'graphemes' });
    });

    test('the premium limit of twitter applies only if every targeted connection is premium', () => {
      const comments = [{ text: 'x'.repeat(281) }];
      expect(checkFirstComments(comments, [target('twitter', true), target('twitter', true)])).toEqual({
        warnings: [],
      });
      expect(problemOf(() => checkFirstComments(comments, [target('twitter', true), target('twitter')]))).toMatchObject(
        { limit: 280 },
      );
      expect(checkFirstComments(comments, [target('twitter', true), target('linkedin')])).toEqual({ warnings: [] });
    });

    test('premium has no effect on other platforms', () => {
      const comments = [{ text: 'x'.repeat(501) }];
      expect(problemOf(() => checkFirstComments(comments, [target('threads', true)]))).toMatchObject({ limit: 500 });
    });
  });

  describe('are measured for the platforms they go to', () => {
    const text = 'x'.repeat(600);

    test.each<[title: string, platforms: string[] | undefined, targets: string[], tooLongFor: string | null]>([
      ['all targets, if none is named', undefined, ['linkedin', 'threads'], 'threads'],
      ['all targets, if the list is empty', [], ['linkedin', 'mastodon'], 'mastodon'],
      ['the named target alone', ['linkedin'], ['threads', 'linkedin'], null],
      ['no platform that is not targeted', ['threads', 'linkedin'], ['linkedin'], null],
      ['no platform that takes no comments', undefined, ['instagram', 'linkedin'], null],
      ['no platform at all, without targets', undefined, [], null],
    ])('%s', (_title, platforms, targets, tooLongFor) => {
      const problem = problemOf(() =>
        checkFirstComments(
          [{ text, platforms }],
          targets.map((name) => target(name)),
        ),
      );
      expect(problem?.platform ?? null).toBe(tooLongFor);
    });

    test('an error names the field in which the comment was sent', () => {
      const field = (count: number, sent?: 'firstComment' | 'firstComments') =>
        problemOf(() => checkFirstComments(Array(count).fill({ text }), [target('threads')], sent))?.field;
      expect(field(1, 'firstComment')).toBe('firstComment.text');
      expect(field(1, 'firstComments')).toBe('firstComments[0].text');
      expect(field(1)).toBe('firstComment.text');
      expect(field(2)).toBe('firstComments[0].text');
    });

    test('each comment for its own platforms, and the error names the comment', () => {
      const comments = [{ text, platforms: ['linkedin'] }, { text: 'short' }, { text, platforms: ['mastodon'] }];
      const problem = problemOf(() => checkFirstComments(comments, [target('mastodon'), target('linkedin')]));
      expect(problem).toMatchObject({ field: 'firstComments[2].text', platform: 'mastodon', count: 600 });
    });
  });
});

describe('[first-comments] codes', () => {
  describe('FIRST_COMMENT_INVALID', () => {
    const oneObject = 'firstComment must be an object { text, platforms? }';
    const anObject = (index: number) => `firstComments[${index}] must be an object { text, platforms?, delaySeconds? }`;
    const aList = 'firstComments must be an array of { text, platforms?, delaySeconds? }';
    const delay = (name: string) => `${name}.delaySeconds must be an integer between 0 and 86400`;
    const text = 'a';

    test.each<[title: string, body: Parameters<typeof readFirstComments>[0], error: string, field: string]>([
      [
        'both fields',
        { firstComment: { text }, firstComments: [{ text }] },
        'Send either firstComment or firstComments, not both',
        'firstComments',
      ],
      [
        'both fields, one cleared',
        { firstComment: { text }, firstComments: [] },
        'Send either firstComment or firstComments, not both',
        'firstComments',
      ],
      ['a string', { firstComment: 'Hi' }, oneObject, 'firstComment'],
      ['a number', { firstComment: 0 }, oneObject, 'firstComment'],
      ['false', { firstComment: false }, oneObject, 'firstComment'],
      ['an array for one comment', { firstComment: [{ text }] }, oneObject, 'firstComment'],
      ['an unknown key', { firstComment: { text, delay: 1 } }, oneObject, 'firstComment'],
      ['an unknown key in place of the text', { firstComment: { content: 'Hi' } }, oneObject, 'firstComment'],
      ['no text', { firstComment: {} }, 'firstComment.text must be a string', 'firstComment.text'],
      ['null for a text', { firstComment: { text: null } }, 'firstComment.text must be a string', 'firstComment.text'],
      [
        'a text with a null character',
        { firstComment: { text: 'a\0' } },
        'firstComment.text must be valid Unicode without null characters',
        'firstComment.text',
      ],
      [
        'half a surrogate pair',
        { firstComment: { text: '\ud83d' } },
        'firstComment.text must be valid Unicode without null characters',
        'firstComment.text',
      ],
      [
        'platforms that are no list',
        { firstComment: { text, platforms: 'twitter' } },
        'firstComment.platforms must be an array of platform types',
        'firstComment.platforms',
      ],
      [
        'null for platforms',
        { firstComment: { text, platforms: null } },
        'firstComment.platforms must be an array of platform types',
        'firstComment.platforms',
      ],
      [
        'a platform that is no string',
        { firstComment: { text, platforms: ['twitter', 7] } },
        'firstComment.platforms must be an array of platform types',
        'firstComment.platforms',
      ],
      [
        'a delay of a blank comment',
        { firstComment: { text: ' ', delaySeconds: -1 } },
        delay('firstComment'),
        'firstComment.delaySeconds',
      ],
      ...[-1, 86_401, 1.5, '60', null, true, 1e300].map(
        (delaySeconds) =>
          [
            `a delay of ${JSON.stringify(delaySeconds)}`,
            { firstComments: [{ text, delaySeconds }] },
            delay('firstComments[0]'),
            'firstComments[0].delaySeconds',
          ] as [string, object, string, string],
      ),
      [
        'a delay that is wrong in a later comment',
        { firstComments: [{ text }, { text, delaySeconds: 86_401 }] },
        delay('firstComments[1]'),
        'firstComments[1].delaySeconds',
      ],
      [
        'four comments',
        { firstComments: [{ text }, { text }, { text }, { text }] },
        'firstComments supports at most 3 comments',
        'firstComments',
      ],
      [
        'four comments, some blank',
        { firstComments: [{ text }, { text: '' }, { text: '' }, { text: '' }] },
        'firstComments supports at most 3 comments',
        'firstComments',
      ],
      ['an object for a list', { firstComments: { text } }, aList, 'firstComments'],
      ['a string for a list', { firstComments: 'Hi' }, aList, 'firstComments'],
      ['a string in a list', { firstComments: [{ text }, 'Hi'] }, anObject(1), 'firstComments[1]'],
      ['null in a list', { firstComments: [null] }, anObject(0), 'firstComments[0]'],
      ['an array in a list', { firstComments: [[]] }, anObject(0), 'firstComments[0]'],
      ['an unknown key in a list', { firstComments: [{ text, delay: 1 }] }, anObject(0), 'firstComments[0]'],
      [
        'no text in a list',
        { firstComments: [{ text }, { delaySeconds: 1 }] },
        'firstComments[1].text must be a string',
        'firstComments[1].text',
      ],
      [
        'platforms in a list that are no list',
        { firstComments: [{ text, platforms: {} }] },
        'firstComments[0].platforms must be an array of platform types',
        'firstComments[0].platforms',
      ],
    ])('%s', (_title, body, error, field) => {
      const problem = problemOf(() => readFirstComments(body));
      expect(problem).toEqual({ status: 400, error, code: 'FIRST_COMMENT_INVALID', field });
    });
  });

  describe('FIRST_COMMENT_PLATFORM_UNKNOWN', () => {
    test.each<[value: string, body: Parameters<typeof readFirstComments>[0], field: string]>([
      [
        'twitter-123',
        { firstComment: { text: 'a', platforms: ['linkedin', 'twitter-123', 'x'] } },
        'firstComment.platforms',
      ],
      ['Twitter', { firstComment: { text: 'a', platforms: ['Twitter'] } }, 'firstComment.platforms'],
      [
        'pinterest',
        { firstComments: [{ text: 'a' }, { text: 'b', platforms: ['pinterest'] }] },
        'firstComments[1].platforms',
      ],
      ['', { firstComments: [{ text: ' ', platforms: [''] }] }, 'firstComments[0].platforms'],
    ])('%j', (value, body, field) => {
      expect(problemOf(() => readFirstComments(body))).toEqual({
        status: 400,
        error: `Unknown first comment platform "${value}": use platform types such as linkedin or twitter, not connection keys`,
        code: 'FIRST_COMMENT_PLATFORM_UNKNOWN',
        field,
        allowed,
      });
    });
  });

  describe('FIRST_COMMENT_TOO_LONG for any targets', () => {
    const long = `\n${'x'.repeat(25_001)} `;

    test.each<[name: string, body: Parameters<typeof readFirstComments>[0]]>([
      ['firstComment', { firstComment: { text: long } }],
      ['firstComments[1]', { firstComments: [{ text: 'a' }, { text: long }] }],
    ])('%s', (name, body) => {
      expect(problemOf(() => readFirstComments(body))).toEqual({
        status: 400,
        error: `${name}.text is too long: 25001 characters, limit 25000`,
        code: 'FIRST_COMMENT_TOO_LONG',
        field: `${name}.text`,
        limit: 25_000,
        count: 25_001,
        unit: 'characters',
      });
    });

    test('25,000 characters with blanks around them are accepted', () => {
      const text = ` ${'x'.repeat(25_000)}\n\n`;
      expect(readFirstComments({ firstComment: { text } })).toEqual([{ text }]);
    });
  });

  describe('warnings', () => {
    const notTargeted = (...platforms: string[]) => ({
      code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED',
      message: `First comments name platforms that the post does not target; they are ignored: ${platforms.join(', ')}`,
      platforms,
    });
    const unsupported = (...platforms: string[]) => ({
      code: 'FIRST_COMMENT_UNSUPPORTED_PLATFORMS',
      message: `First comments are not supported on some targets; they are skipped: ${platforms.join(', ')}`,
      platforms,
    });

    test.each<[title: string, named: (string[] | undefined)[], targets: string[], warnings: object[]]>([
      ['none, if all goes where it was meant to', [['linkedin'], undefined], ['linkedin', 'twitter'], []],
      ['a named platform that is not targeted', [['linkedin', 'threads']], ['linkedin'], [notTargeted('threads')]],
      [
        'one warning for all comments',
        [['threads'], ['bluesky', 'threads']],
        ['linkedin'],
        [notTargeted('threads', 'bluesky')],
      ],
      ['a target that takes no comments', [undefined], ['linkedin', 'instagram'], [unsupported('instagram')]],
      [
        'such a target once, however often it is there',
        [undefined, []],
        ['tiktok', 'tiktok', 'youtube'],
        [unsupported('tiktok', 'youtube')],
      ],
      ['such a target, named', [['facebook', 'linkedin']], ['linkedin', 'facebook'], [unsupported('facebook')]],
      ['none for such a target, if the comments go elsewhere', [['linkedin']], ['linkedin', 'facebook'], []],
      ['not targeted goes before unsupported', [['telegram']], ['linkedin'], [notTargeted('telegram')]],
      [
        'both kinds',
        [['twitter'], undefined],
        ['telegram', 'linkedin'],
        [notTargeted('twitter'), unsupported('telegram')],
      ],
      ['a target that nobody knows', [undefined], ['friendster'], [unsupported('friendster')]],
      ['none without comments', [], ['instagram'], []],
    ])('%s', (_title, named, targets, warnings) => {
      const comments = named.map((platforms) => ({ text: 'Hi', ...(platforms && { platforms }) }));
      expect(
        checkFirstComments(
          comments,
          targets.map((name) => target(name)),
        ),
      ).toEqual({ warnings });
    });

    test('exactly the platforms that take comments are supported', () => {
      const { warnings } = checkFirstComments(
        [{ text: 'Hi' }],
        allowed.map((name) => target(name)),
      );
      expect(warnings).toEqual([unsupported('instagram', 'facebook', 'youtube', 'tiktok', 'telegram')]);
    });
  });
});

/** Status and body of the error. Null if nothing was rejected. */
function problemOf(act: () => unknown): Record<string, unknown> | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, ...error.body };
    throw error;
  }
}

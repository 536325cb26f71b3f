import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { type Entity, toEntities } from './markup.ts';

/** The entities with the words they style. */
const styled = (source: string) => {
  const { text, entities } = toEntities(source);
  return {
    text,
    styles: entities.map(({ offset, length, ...style }) => ({ ...style, on: text.slice(offset, offset + length) })),
  };
};

describe('markup', () => {
  test.for<[source: string, text: string, style: Partial<Entity>, on: string]>([
    ['*bold*', 'bold', { type: 'bold' }, 'bold'],
    ['a _word_, b', 'a word, b', { type: 'italic' }, 'word'],
    ['(*two words*)!', '(two words)!', { type: 'bold' }, 'two words'],
    ['*two\nlines*', 'two\nlines', { type: 'bold' }, 'two\nlines'],
    ['😀 *😀 grin* 😀', '😀 😀 grin 😀', { type: 'bold' }, '😀 grin'],
    ['run `npm *i*`', 'run npm *i*', { type: 'code' }, 'npm *i*'],
    ['```\nlet a_b = 1;\n\nb\n```', 'let a_b = 1;\n\nb', { type: 'pre' }, 'let a_b = 1;\n\nb'],
    ['```ts\nlet a\n```!', 'let a!', { type: 'pre', language: 'ts' }, 'let a'],
    ['```let a```', 'let a', { type: 'pre' }, 'let a'],
    [
      'see [our site](https://a.example/x_y?z=1)',
      'see our site',
      { type: 'text_link', url: 'https://a.example/x_y?z=1' },
      'our site',
    ],
    ['[w](https://a.example/b_(c))', 'w', { type: 'text_link', url: 'https://a.example/b_(c)' }, 'w'],
    ['> wise words', 'wise words', { type: 'blockquote' }, 'wise words'],
    ['He:\n> one\n>\n> two\nShe', 'He:\none\n\ntwo\nShe', { type: 'blockquote' }, 'one\n\ntwo'],
  ])('%j', ([source, text, style, on]) => {
    expect(styled(source)).toEqual({ text, styles: [{ ...style, on }] });
  });

  test('may be nested', () => {
    expect(styled('> *see _[this *one*](https://a.example)_ now*')).toEqual({
      text: 'see this one now',
      styles: [
        { type: 'blockquote', on: 'see this one now' },
        { type: 'bold', on: 'see this one now' },
        { type: 'text_link', url: 'https://a.example', on: 'this one' },
        { type: 'italic', on: 'this one' },
        { type: 'bold', on: 'one' },
      ],
    });
  });

  test('around an address styles it and does not change it', () => {
    expect(styled('*https://a.example/_b_/c*')).toEqual({
      text: 'https://a.example/_b_/c',
      styles: [{ type: 'bold', on: 'https://a.example/_b_/c' }],
    });
  });

  test('that overlaps is applied from the outside', () => {
    expect(styled('*a _b* c_')).toEqual({ text: 'a _b c_', styles: [{ type: 'bold', on: 'a _b' }] });
  });
});

describe('text without markup stays as it is:', () => {
  test.for([
    '',
    'plain',
    '*',
    '2 * 3 * 4',
    '2*3*4',
    '*open',
    'close*',
    '* one\n* two',
    '*over\n\nthe gap*',
    '**double**',
    '__init__',
    'snake_case_name',
    '_private_name',
    '@some_bot_name and #tag_one_',
    'https://a.example/_a_/*b*?c=_d_',
    'a/_b_/c',
    '¯\\_(ツ)_/¯',
    '`',
    '``',
    '`one\ntwo`',
    '``` ```',
    '``````',
    '[no link](nowhere)',
    '[ ](https://a.example)',
    '[a](https://a b)',
    '[a](https://)',
    '[a] (https://a.example)',
    '[x](javascript:alert(1))',
    '>_<',
    '>quote',
    '>',
    'a > b',
    '<b>&amp;</b> \\*a\\n $& %s',
    '  blanks at both ends \n',
  ])('%j', (source) => {
    expect(toEntities(source)).toEqual({ text: source, entities: [] });
  });
});

describe('in any text', () => {
  const pieces = fc.constantFrom(
    '*',
    '_',
    '`',
    '```',
    '[',
    ']',
    '(',
    ')',
    '](https://a.example)',
    '> ',
    '>',
    '\n',
    ' ',
    'a',
    '😀',
    'https://b.example/',
    '\r\n',
    '\\',
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join('')),
    anyString(),
  );
  const ends = ({ offset, length }: Entity) => [offset, offset + length] as const;

  test('entities are what Telegram accepts: inside the text, not empty, whole characters, nested', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { text, entities } = toEntities(source);
        for (const entity of entities) {
          const [from, to] = ends(entity);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(text.length);
          expect(text.slice(from, to)).toMatch(/\S/);
          expect(text.slice(from, to).isWellFormed()).toBe(true);
        }
        for (const [one, other] of entities.flatMap((a, index) =>
          entities.slice(index + 1).map((b) => [a, b] as const),
        )) {
          const [[a, b], [c, d]] = [ends(one), ends(other)];
          expect(b <= c || d <= b, `${JSON.stringify([one, other])} of ${JSON.stringify(text)}`).toBe(true);
          expect(a).toBeLessThanOrEqual(c);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('only markers are removed', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { text, entities } = toEntities(source);
        if (entities.length === 0) expect(text).toBe(source);
        let at = 0;
        for (const char of text) {
          const next = source.indexOf(char, at);
          expect(next).not.toBe(-1);
          at = next + char.length;
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('without markers, the text is unchanged', () => {
    const unmarked = text.map((source) => source.replace(/[*_`>[]/g, ''));
    fc.assert(
      fc.property(unmarked, (source) => {
        expect(toEntities(source)).toEqual({ text: source, entities: [] });
      }),
    );
  });

  test.for(['*_[`> ', '*a* ', '[a', '```', '> *a*\n', '`', '* '])('many repeats of %j are handled quickly', (piece) => {
    const began = performance.now();
    toEntities(piece.repeat(20_000 / piece.length));
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

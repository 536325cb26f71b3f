import { describe, expect, test } from 'vitest';
import { parseHtml } from './parse-html.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { readText } from './text.ts';

describe('Telegram HTML', () => {
  test.each([
    ['plain', 'plain', []],
    [
      '<b>a</b> <STRONG>b</STRONG>',
      'a b',
      [
        ['bold', 0, 1],
        ['bold', 2, 1],
      ],
    ],
    [
      '😀<i>x<u>y</u></i>',
      '😀xy',
      [
        ['italic', 2, 2],
        ['underline', 3, 1],
      ],
    ],
    [
      '<s>a</><del>b</del><strike>c</strike>',
      'abc',
      [
        ['strikethrough', 0, 1],
        ['strikethrough', 1, 1],
        ['strikethrough', 2, 1],
      ],
    ],
    [
      '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
      'ab',
      [
        ['spoiler', 0, 1],
        ['spoiler', 1, 1],
      ],
    ],
    ['<blockquote expandable>a</blockquote>', 'a', [['expandable_blockquote', 0, 1]]],
    ['<b></b>a', 'a', []],
    ['&lt;b&gt; &amp;amp; &quot;&#39;&#x1F600; &nbsp; &', '<b> &amp; "\'😀 &nbsp; &', []],
  ])('%s', (source, text, entities) => {
    const parsed = parseHtml(source);
    expect(parsed.text).toBe(text);
    expect(parsed.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(entities);
  });

  test('links and languages are kept', () => {
    expect(parseHtml('<a href="https://a.test/?x=1&amp;y=2">a</a>').entities).toEqual([
      { type: 'text_link', offset: 0, length: 1, url: 'https://a.test/?x=1&y=2' },
    ]);
    expect(parseHtml('<a href="nowhere">a</a>').entities).toEqual([]);
    expect(parseHtml('<pre><code class="language-ts">a</code></pre>').entities).toEqual([
      { type: 'pre', offset: 0, length: 1, language: 'ts' },
    ]);
    expect(parseHtml('<code class="language-ts">a</code>').entities).toEqual([{ type: 'code', offset: 0, length: 1 }]);
  });

  test.each([
    ['<b>a', 'Can\'t find end tag corresponding to start tag "b"'],
    ['ä<p>a</p>', 'Unsupported start tag "p" at byte offset 2'],
    ['a < b', 'Unsupported start tag "" at byte offset 2'],
    ['a</b>', 'Unexpected end tag at byte offset 1'],
    ['<b>a</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<a href', 'Unclosed start tag "a" at byte offset 0'],
    ['<a href="x', 'Unclosed start tag at byte offset 0'],
    ['<a ="x">a</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
    ['<a href=x/y>a</a>', 'Unexpected end of name token at byte offset 8'],
    ['<b>a</b', 'Unclosed end tag at byte offset 4'],
    ['<span class="x">a</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
  ])('%s is refused', (source, reason) => {
    expect(() => parseHtml(source)).toThrow(reason);
  });
});

describe('Telegram MarkdownV2', () => {
  test.each([
    ['*a* _b_ __c__ ~d~ ||e|| `f`', 'a b c d e f', ['bold', 'italic', 'underline', 'strikethrough', 'spoiler', 'code']],
    ['*a _b_*', 'a b', ['bold', 'italic']],
    ['1\\. \\*a\\*', '1. *a*', []],
    ['`a.b_c`', 'a.b_c', ['code']],
    ['```\na.b\n```', 'a.b\n', ['pre']],
    ['>a\n>b\nc', 'a\nb\nc', ['blockquote']],
    ['>a\n>b||', 'a\nb', ['expandable_blockquote']],
    ['_a_**__b__', 'ab', ['italic', 'underline']],
  ])('%j', (source, text, types) => {
    const parsed = parseMarkdown(source);
    expect(parsed.text).toBe(text);
    expect(parsed.entities.map(({ type }) => type)).toEqual(types);
  });

  test('links and languages are kept', () => {
    expect(parseMarkdown('[a](https://a.test/\\))').entities).toEqual([
      { type: 'text_link', offset: 0, length: 1, url: 'https://a.test/)' },
    ]);
    expect(parseMarkdown('```ts\na```').entities).toEqual([{ type: 'pre', offset: 0, length: 1, language: 'ts' }]);
    expect(parseMarkdown('![👍](tg://emoji?id=5)').entities).toEqual([
      { type: 'custom_emoji', offset: 0, length: 2, custom_emoji_id: '5' },
    ]);
  });

  test.each([
    ['a.', "Character '.' is reserved and must be escaped with the preceding '\\'"],
    ['a!', "Character '!' is reserved and must be escaped with the preceding '\\'"],
    ['a > b', "Character '>' is reserved and must be escaped with the preceding '\\'"],
    ['ä *b', "Can't find end of Bold entity at byte offset 3"],
    ['_a', "Can't find end of Italic entity at byte offset 0"],
    ['`a', "Can't find end of Code entity at byte offset 0"],
    ['[a](b', "Can't find end of a URL at byte offset 4"],
    ['>*a\nb', "Can't find end of Bold entity at byte offset 1"],
    ['![a]', 'The entity must contain a tg://emoji or tg://time URL'],
  ])('%j is refused', (source, reason) => {
    expect(() => parseMarkdown(source)).toThrow(reason);
  });
});

describe('Telegram texts', () => {
  test('entities may be given explicitly; formats that Telegram detects itself are ignored', () => {
    const entities = [
      { type: 'bold', offset: 0, length: 2 },
      { type: 'url', offset: 0, length: 1 },
    ];
    expect(readText({ text: 'Hi <b>', entities })).toEqual({ text: 'Hi <b>', entities: entities.slice(0, 1) });
    expect(readText({ text: 'Hi', entities: JSON.stringify(entities) }).entities).toEqual(entities.slice(0, 1));
  });

  test('blank ends and control characters are removed, and entities move accordingly', () => {
    const entities = [{ type: 'bold', offset: 5, length: 4 }];
    expect(readText({ text: '\n \r\ta\tb\r \n ', entities })).toEqual({
      text: 'a b',
      entities: [{ type: 'bold', offset: 1, length: 2 }],
    });
    expect(readText({ text: 'e\u0301\u200d\u2028x' }).text).toBe('e\u0301\u200dx');
  });

  test.each([
    ['html', '<b>a', 'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'],
    ['MarkdownV2', 'a.', "can't parse entities: Character '.' is reserved and must be escaped with the preceding '\\'"],
  ])('bad %s gets the vendor’s error', (parse_mode, text, reason) => {
    expect(refusedBy(() => readText({ parse_mode, text }))).toBe(`Bad Request: ${reason}`);
  });

  test.each([
    [
      { type: 'bold', offset: 0, length: 3 },
      'entity beginning at UTF-16 offset 0 ends after the end of the text at byte offset 4',
    ],
    [{ type: 'bold', offset: 1, length: 1 }, 'entity begins in a middle of a UTF-16 symbol at byte offset 4'],
    [
      { type: 'bold', offset: 0, length: 1 },
      'entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4',
    ],
    [{ type: 'sparkling', offset: 0, length: 2 }, "can't parse MessageEntity: Unsupported type specified"],
    [{ type: 'bold', length: 2 }, 'can\'t parse MessageEntity: Can\'t find field "offset"'],
  ])('an entity %j is refused', (entity, reason) => {
    expect(refusedBy(() => readText({ text: '😀', entities: [entity] }))).toBe(`Bad Request: ${reason}`);
  });
});

function refusedBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    const { response } = error as { response: { body: string } };
    return JSON.parse(response.body).description;
  }
}

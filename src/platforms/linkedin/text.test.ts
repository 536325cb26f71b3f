import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { littleText, mentionIssues, plainMessage, plainText } from './text.ts';

describe('littleText', () => {
  test.for([
    ['Shipping today (finally) #launch', 'Shipping today \\(finally\\) #launch'],
    ['a|b {c} @d [e] <f> g\\h *i* _j_ ~k~', 'a\\|b \\{c\\} \\@d \\[e\\] \\<f\\> g\\\\h \\*i\\* \\_j\\_ \\~k\\~'],
    ['#one #zwei_drei (#vier)', '#one #zwei\\_drei \\(#vier\\)'],
    ['🎉#party ❤️#love', '🎉#party ❤️#love'],
    ['C# and # and ## and #!', 'C\\# and \\# and \\#\\# and \\#!'],
    ['https://example.com/a_b?c=d#e', 'https://example.com/a\\_b?c=d\\#e'],
    ['https://example.com/#about', 'https://example.com/\\#about'],
    ['{hashtag|\\#|word}', '\\{hashtag\\|\\\\\\#\\|word\\}'],
    ['', ''],
  ] as const)('%j becomes %j', ([text, little]) => {
    expect(littleText(text)).toBe(little);
  });

  test.for([
    ['@{urn:li:person:782bbtaQ|Ann Lee}', '@[Ann Lee](urn:li:person:782bbtaQ)'],
    ['@{urn:li:organization:2414183|Devs (EU)}', '@[Devs \\(EU\\)](urn:li:organization:2414183)'],
    ['@[Ann Lee](urn:li:person:782bbtaQ)', '@[Ann Lee](urn:li:person:782bbtaQ)'],
    ['Hi @{urn:li:person:a|A}, (@{urn:li:person:b|B})!', 'Hi @[A](urn:li:person:a), \\(@[B](urn:li:person:b)\\)!'],
    // These are not a person or company, have no name, or have another form.
    ['@{urn:li:share:1|A}', '\\@\\{urn:li:share:1\\|A\\}'],
    ['@{urn:li:person:a|}', '\\@\\{urn:li:person:a\\|\\}'],
    ['@[A](https://example.com)', '\\@\\[A\\]\\(https://example.com\\)'],
  ] as const)('the mention %j becomes %j', ([text, little]) => {
    expect(littleText(text)).toBe(little);
  });

  const anyText = fc.string({
    unit: fc.oneof(fc.constantFrom(...'|{}@[]()<>#\\*_~ ab1\n'), fc.string({ unit: 'grapheme', maxLength: 1 })),
  });

  test('people read the same text, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(plainText(littleText(text))).toBe(text.trim());
      }),
    );
  });

  test('every reserved character is escaped except the # of a hashtag', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bare = littleText(text).replace(/\\[\s\S]/g, '');
        expect(bare.replace(/#(?=[\p{L}\p{N}])/gu, '')).not.toMatch(/[|{}@[\]()<>#\\*_~]/);
      }),
    );
  });

  test('a mention keeps its URN, whatever the name', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => /^[^{}|\n]+$/.test(text));
    fc.assert(
      fc.property(name, anyText, (person, before) => {
        const little = littleText(`${before} @{urn:li:person:abc|${person}}`);
        expect(little.endsWith('](urn:li:person:abc)')).toBe(true);
        expect(plainText(little)).toBe(`${before} @[${person}](urn:li:person:abc)`.trim());
      }),
    );
  });
});

describe('plainMessage', () => {
  const member = (urn: string) => ({ 'com.linkedin.common.MemberAttributedEntity': { member: urn } });

  test('a text without mentions stays as it is', () => {
    const text = 'Nice (really) a_b @d #1 \\ https://example.com/a_(b)';
    expect(plainMessage(text)).toEqual({ text, attributes: [] });
  });

  test('a mention is an attribute of the name, counted in UTF-16 units', () => {
    expect(plainMessage('🎉 @{urn:li:person:a|Ann Lee} and @[Devs](urn:li:organization:5)!')).toEqual({
      text: '🎉 Ann Lee and Devs!',
      attributes: [
        { start: 3, length: 7, value: member('urn:li:person:a') },
        {
          start: 15,
          length: 4,
          value: { 'com.linkedin.common.CompanyAttributedEntity': { company: 'urn:li:organization:5' } },
        },
      ],
    });
  });

  test('an attribute always covers its name', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => /^[^{}|\n]+$/.test(text));
    const words = fc.string({ unit: 'grapheme' }).filter((text) => !/[@{}[\]]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(words, name)), (parts) => {
        const message = plainMessage(parts.map(([before, who]) => `${before}@{urn:li:person:a|${who}}`).join(''));
        expect(message.text).toBe(parts.flat().join(''));
        expect(message.attributes.map(({ start, length }) => message.text.slice(start, start + length))).toEqual(
          parts.map(([, who]) => who),
        );
      }),
    );
  });
});

test('a hashtag in its long form equals one in its short form', () => {
  expect(plainText('Now {hashtag|\\#|launch_day} \\(yes\\)')).toBe('Now #launch_day (yes)');
});

test.for([
  ['@{urn:li:person:ACoAABcd123|Ann}', 1],
  ['@[Ann](urn:li:person:ACoAABcd123)', 1],
  ['Hi @{urn:li:person:ACoAAB.cd-1|Ann Lee}!', 1],
  ['Hi @[Ann Lee](urn:li:person:ACoAAB.cd-1)!', 1],
  ['@{urn:li:person:782bbtaQ|Ann}', 0],
  ['urn:li:person:ACoAABcd123 in passing', 0],
] as const)('%j has %i issues', ([text, count]) => {
  expect(mentionIssues(text)).toHaveLength(count);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyString, anyUrl } from '../../../test/support/any-string.ts';
import { type Facet, facetsOf, firstLinkIn, handlesIn } from './rich-text.ts';

const dids = { 'bob.test': 'did:plc:bob', 'ann.bsky.social': 'did:plc:ann' };
/** The marked parts and their targets. */
const marked = (text: string) =>
  facetsOf(text, dids).map(({ index, features: [feature] }) => {
    const bytes = Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString();
    return [bytes, targetOf(feature)];
  });
const targetOf = (feature: Facet['features'][0]) => {
  if ('uri' in feature) return feature.uri;
  return 'did' in feature ? feature.did : feature.tag;
};

test('offsets are bytes of UTF-8', () => {
  const facets = facetsOf('Hé 👋 @bob.test see https://example.com/x and #ünïcode tag', dids);
  expect(facets).toEqual([
    {
      index: { byteStart: 9, byteEnd: 18 },
      features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:bob' }],
    },
    {
      index: { byteStart: 23, byteEnd: 44 },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/x' }],
    },
    { index: { byteStart: 49, byteEnd: 59 }, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'ünïcode' }] },
  ]);
});

describe('a link', () => {
  test.for([
    ['https://example.com', 'https://example.com'],
    ['See http://example.com/a?b=c&d=%20#e.', 'http://example.com/a?b=c&d=%20#e'],
    ['HTTPS://Example.COM/Path', 'HTTPS://Example.COM/Path'],
    ['(https://example.com/a)', 'https://example.com/a'],
    ['https://en.wikipedia.org/wiki/Blue_(colour)', 'https://en.wikipedia.org/wiki/Blue_(colour)'],
    ['(see https://en.wikipedia.org/wiki/Blue_(colour)).', 'https://en.wikipedia.org/wiki/Blue_(colour)'],
    ['[docs](https://example.com/docs)', 'https://example.com/docs'],
    ['“https://example.com/quoted”, said Ann', 'https://example.com/quoted'],
    ['<https://example.com/x>', 'https://example.com/x'],
    ['https://example.com/!?...', 'https://example.com/'],
    ['次を見て：https://example.com/記事。次', 'https://example.com/記事'],
    ['https://münchen.example/straße', 'https://münchen.example/straße'],
    ['https://example.com:8443/x', 'https://example.com:8443/x'],
  ] as const)('with a scheme: %s', ([text, uri]) => {
    expect(marked(text)).toEqual([[uri, uri]]);
  });

  test.for([
    ['example.com', 'example.com'],
    ['Go to example.com, now', 'example.com'],
    ['my-site.co.uk/a/b?c#d!', 'my-site.co.uk/a/b?c#d'],
    ['(crier.dev)', 'crier.dev'],
    ['example.com:8080/x', 'example.com:8080/x'],
    ['Ends with example.com.', 'example.com'],
    ['example.comを見て', 'example.com'],
  ] as const)('without a scheme: %s', ([text, written]) => {
    expect(marked(text)).toEqual([[written, `https://${written}`]]);
  });

  test.for([
    'no.thing at e.g. 10 a.m.',
    'the end.In short',
    'mail ann@example.com, ann.me@example.com, first.bar.last@example.com',
    'index.html and 3.14.io',
    'https:// and https:///example.com',
    'xhttps://example',
    '-a.com a-.com',
    '@example.com.',
    '/example.com/x',
  ])('is not found in: %s', (text) => {
    expect(marked(text)).toEqual([]);
  });

  test('is the first of several in the text', () => {
    expect(firstLinkIn('@bob.test #tag example.com https://other.example')).toBe('https://example.com');
    expect(firstLinkIn('@bob.test #tag')).toBeNull();
  });
});

describe('a mention', () => {
  test.for([
    ['@bob.test', '@bob.test'],
    ['Hello (@bob.test), hello', '@bob.test'],
    ["@bob.test's", '@bob.test'],
    ['Ask @Bob.Test.', '@Bob.Test'],
    ['@bob.test- a dash', '@bob.test'],
  ] as const)('links to the account: %s', ([text, written]) => {
    expect(marked(text)).toEqual([[written, 'did:plc:bob']]);
  });

  test.for(['@unknown.test', 'x@bob.test', '@bob', '@bob.test@mastodon.social', '@-bob.test', '@bob.test_'])(
    'stays text if it is not one, or its account is unknown: %s',
    (text) => {
      expect(marked(text)).toEqual([]);
    },
  );

  test('is looked up once per handle', () => {
    expect(handlesIn('@Bob.test @bob.test @ann.bsky.social @constructor.prototype bob.test')).toEqual([
      'bob.test',
      'ann.bsky.social',
      'constructor.prototype',
    ]);
  });
});

describe('a hashtag', () => {
  test.for([
    ['#news', '#news', 'news'],
    ['Some #news, and more', '#news', 'news'],
    ['＃ニュース です', '＃ニュース', 'ニュース'],
    ['#2031goals!', '#2031goals', '2031goals'],
    ['#a-b.c', '#a-b.c', 'a-b.c'],
    ['(#bracket)', '#bracket', 'bracket'],
    ['#🎉', '#🎉', '🎉'],
    ['#one#two', '#one', 'one'],
    // Bluesky's own app also ends a hashtag at a zero-width joiner.
    ['#👩‍👧', '#👩', '👩'],
    ['#example.com', '#example.com', 'example.com'],
    [`#${'ü'.repeat(64)}`, `#${'ü'.repeat(64)}`, 'ü'.repeat(64)],
  ] as const)('%s', ([text, written, tag]) => {
    expect(marked(text)).toEqual([[written, tag]]);
  });

  test.for(['#', '#1', '#12.5!', '#️⃣', '#⃣', 'a#b', '&#39;', '##', '#...', `#${'a'.repeat(65)}`])(
    'is not found in: %s',
    (text) => {
      expect(marked(text)).toEqual([]);
    },
  );
});

describe('a cashtag', () => {
  test.for([
    ['$AAPL', '$AAPL', '$AAPL'],
    ['Up today: $aapl.', '$aapl', '$AAPL'],
    ["($BF) isn't", '$BF', '$BF'],
    ['é $T, $', '$T', '$T'],
    ['$BRK.B', '$BRK', '$BRK'],
    ['全角\u3000$X1', '$X1', '$X1'],
  ] as const)('%s is a tag in capitals with its sign', ([text, written, tag]) => {
    expect(marked(text)).toEqual([[written, tag]]);
  });

  test.for([
    '$',
    '$100',
    '$1AB',
    '$GOOGLE',
    'a$AAPL',
    '$AAPLです',
    '（$AAPL）',
    '$$AAPL',
    '$AAPL-X',
    '$\u212a',
    '＄AAPL',
  ])('is not found in: %s', (text) => {
    expect(marked(text)).toEqual([]);
  });
});

const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  anyString(),
  anyUrl({ withQuery: true, withFragment: true }),
  fc.domain(),
  fc.emailAddress(),
  fc.constantFrom(
    '@bob.test',
    '#tag',
    '$Aapl',
    '＃標籤',
    'https://',
    'example.com',
    '(',
    ')',
    '。',
    '👋',
    '\n',
    ' ',
    'e\u0301',
    '@',
    '#',
    '.',
  ),
);
const anyText = fc
  .array(piece, { maxLength: 12 })
  .chain((pieces) => fc.constantFrom(' ', '').map((gap) => pieces.join(gap)));

test('in any text, facets are in order, do not overlap, and cover their target', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const bytes = Buffer.from(text);
      let last = 0;
      for (const {
        index,
        features: [feature],
      } of facetsOf(text, dids)) {
        expect(index.byteStart).toBeGreaterThanOrEqual(last);
        expect(index.byteEnd).toBeGreaterThan(index.byteStart);
        expect(index.byteEnd).toBeLessThanOrEqual(bytes.length);
        last = index.byteEnd;
        const written = bytes.subarray(index.byteStart, index.byteEnd).toString();
        if ('uri' in feature) expect([written, `https://${written}`]).toContain(feature.uri);
        else if ('tag' in feature)
          expect([`#${feature.tag}`, `＃${feature.tag}`, feature.tag]).toContain(
            written.startsWith('$') ? written.toUpperCase() : written,
          );
        else expect(dids).toHaveProperty([written.slice(1).toLowerCase()], feature.did);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a link is found completely after any text', () => {
  const words = fc.array(fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll(/[\s#＃@./:]/gu, '')));
  fc.assert(
    fc.property(words, anyUrl(), (before, url) => {
      const text = [...before, url].join(' ');
      const [facet] = facetsOf(text, {}).slice(-1);
      const uri = url.replace(/[.,;:!?'")\]]+$/, '');
      expect(facet?.index.byteStart).toBe(Buffer.byteLength([...before, ''].join(' ')));
      expect(facet?.features).toMatchObject([{ uri: expect.stringContaining(uri) }]);
    }),
  );
});

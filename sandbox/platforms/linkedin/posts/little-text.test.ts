import { describe, expect, test } from 'vitest';
import { visibleText } from './little-text.ts';

describe('LinkedIn little text', () => {
  test.each([
    ['plain words stay', 'Grüße 👩‍👩‍👧‍👦\n\nhttps://a.test/?b=c&d=%20', 'Grüße 👩‍👩‍👧‍👦\n\nhttps://a.test/?b=c&d=%20'],
    ['escapes vanish', 'a \\(b\\) \\| \\{\\} \\@ \\[\\] \\<\\> \\# \\\\ \\* \\_ \\~', 'a (b) | {} @ [] <> # \\ * _ ~'],
    ['a hashtag may stand as it is', '#launch today #2026 #été', '#launch today #2026 #été'],
    ['a hashtag may be a template', 'x {hashtag|\\#|launch\\_day} y', 'x #launch_day y'],
    [
      'a mention shows the name',
      'Hi @[Ann \\(A\\)](urn:li:person:-f_Ut) and @[Acme](urn:li:organization:1).',
      'Hi Ann (A) and Acme.',
    ],
  ])('%s', (_, written, seen) => {
    expect(visibleText(written)).toBe(seen);
  });

  test.each(['|', '{', '}', '@', '[', ']', '(', ')', '<', '>', '# ', '\\', '*', '_', '~'])(
    'a bare %s cuts off what follows',
    (reserved) => {
      expect(visibleText(`Before ${reserved}after`)).toBe('Before ');
    },
  );
});

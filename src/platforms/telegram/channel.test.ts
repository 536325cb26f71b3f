import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatIn, isInvitation } from './channel.ts';

test.for([
  '@mynews',
  'mynews',
  '  @mynews ',
  't.me/mynews',
  'https://t.me/mynews',
  'http://www.t.me/mynews/',
  'https://telegram.me/mynews',
  'https://t.me/mynews/412',
  'https://t.me/mynews/412?single',
  'https://t.me/s/mynews',
  't.me/@mynews',
])('%j leads to @mynews', (typed) => {
  expect(chatIn(typed)).toBe('@mynews');
});

test.for(['-1001234567890', ' -1001234567890 ', 't.me/c/1234567890/42', 'https://t.me/c/1234567890/7/42'])(
  '%j leads to the private channel -1001234567890',
  (typed) => {
    expect(chatIn(typed)).toBe('-1001234567890');
  },
);

test.for([
  '',
  'two words',
  '@x',
  '12345',
  '-12345',
  '1001234567890',
  'https://example.com/mynews',
  'https://t.me/',
  'https://t.me/c/',
  'https://t.me/c/12/3',
  'tést_channel',
  `@${'a'.repeat(33)}`,
])('%j leads to no channel', (typed) => {
  expect(chatIn(typed)).toBeNull();
});

test.for(['https://t.me/+AbCdEf', 't.me/joinchat/AAAAAE', 'tg://join?invite=AbC', 'HTTPS://T.ME/+x'])(
  '%j is an invitation',
  (typed) => {
    expect(isInvitation(typed)).toBe(true);
    expect(chatIn(typed)).toBeNull();
  },
);

test.for(['https://t.me/mynews', '@joinchat_news', 't.me/joinchat_news', '-1001234567890'])(
  '%j is no invitation',
  (typed) => {
    expect(isInvitation(typed)).toBe(false);
    expect(chatIn(typed)).not.toBeNull();
  },
);

test('whatever is typed leads to a name or an id, or nowhere', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.string().map((text) => `https://t.me/${text}`),
    fc.integer().map(String),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const chat = chatIn(text);
      if (chat !== null) expect(chat).toMatch(/^(?:@[A-Za-z]\w{3,31}|-100\d{5,13})$/);
    }),
  );
});

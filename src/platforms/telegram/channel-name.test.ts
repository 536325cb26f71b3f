import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString, anyUrl } from '../../../test/support/any-string.ts';
import { chatFrom, isInviteLink } from './channel-name.ts';

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
])('%j is @mynews', (typed) => {
  expect(chatFrom(typed)).toBe('@mynews');
});

test.for(['-1001234567890', ' -1001234567890 ', 't.me/c/1234567890/42', 'https://t.me/c/1234567890/7/42'])(
  '%j is the private channel -1001234567890',
  (typed) => {
    expect(chatFrom(typed)).toBe('-1001234567890');
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
])('%j is not a channel', (typed) => {
  expect(chatFrom(typed)).toBeNull();
});

test.for(['https://t.me/+AbCdEf', 't.me/joinchat/AAAAAE', 'tg://join?invite=AbC', 'HTTPS://T.ME/+x'])(
  '%j is an invite link',
  (typed) => {
    expect(isInviteLink(typed)).toBe(true);
    expect(chatFrom(typed)).toBeNull();
  },
);

test.for(['https://t.me/mynews', '@joinchat_news', 't.me/joinchat_news', '-1001234567890'])(
  '%j is not an invite link',
  (typed) => {
    expect(isInviteLink(typed)).toBe(false);
    expect(chatFrom(typed)).not.toBeNull();
  },
);

test('every input leads to a name, an id or nothing', () => {
  const typed = fc.oneof(
    anyString(),
    anyUrl(),
    fc.string().map((text) => `https://t.me/${text}`),
    fc.integer().map(String),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const chat = chatFrom(text);
      if (chat !== null) expect(chat).toMatch(/^(?:@[A-Za-z]\w{3,31}|-100\d{5,13})$/);
    }),
  );
});

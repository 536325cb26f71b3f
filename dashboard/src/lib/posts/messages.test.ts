import { expect, test } from 'vitest';
import { inOurWords, withoutAdvice, withoutReconnect } from './messages.ts';

test.each([
  ["X no longer accepts the account's access token. Reconnect the account."],
  ['X no longer accepts the connection. Reconnect the account.'],
  ['Twitter/X no longer accepts the connection. Reconnect the account.'],
])('%j: the network has ended the access', (message) => {
  expect(inOurWords(message)).toBe('X has ended Crier’s access. Reconnect the channel.');
});

test('messages have typographic apostrophes', () => {
  expect(inOurWords("The problem is on X's side.")).toBe('The problem is on X’s side.');
});

test.each([
  ['X has ended Crier’s access. Reconnect the channel.', 'X has ended Crier’s access.'],
  ['Access to the Page has expired. Reconnect the Page.', 'Access to the Page has expired.'],
  [
    'X rejected the sign-in. Reconnect the account. If that does not help, ask the operator.',
    'X rejected the sign-in.',
  ],
  ['The image is too large.', 'The image is too large.'],
])('%j says what happened: %s', (reason, happened) => {
  expect(withoutReconnect(reason)).toBe(happened);
});

test.each([
  [
    "X returned an error (503). The problem is on X's side. Try again later.",
    "X returned an error (503). The problem is on X's side.",
  ],
  ['X has rate-limited this account. Wait until the limit resets, then try again.', 'X has rate-limited this account.'],
  ['No credits left on X. Try again later, or ask the operator to buy more.', 'No credits left on X.'],
  ['The file is 12 MB; Bluesky accepts 1 MB.', 'The file is 12 MB; Bluesky accepts 1 MB.'],
])('while Crier retries, “%s” asks for nothing', (message, shown) => {
  expect(withoutAdvice(message)).toBe(shown);
});

import { expect, test } from 'vitest';
import { routeTo } from '../../../app.ts';
import { shownAddress } from './shown-address.ts';

const access = (sandbox: string | null) => ({ platformAccess: { route: routeTo(sandbox) } as never });

test.each([
  ['a script', 'javascript:alert(1)'],
  ['a document', 'data:text/html,x'],
  ['a word', 'nonsense'],
  ['an endless address', `https://a.example/${'x'.repeat(3000)}`],
  ['no address', null],
])('%s is not shown, also if an older version stored it', (_, address) => {
  for (const sandbox of [null, 'http://127.0.0.1:4001']) expect(shownAddress(access(sandbox), address)).toBeNull();
});

test('an address on the web is shown, in sandbox mode at its place in the sandbox', () => {
  const address = 'https://mastodon.example/@ann';
  expect(shownAddress(access(null), address)).toBe(address);
  expect(shownAddress(access('http://127.0.0.1:4001'), address)).toBe('http://127.0.0.1:4001/mastodon.example/@ann');
});

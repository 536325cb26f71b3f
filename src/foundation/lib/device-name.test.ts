import { expect, test } from 'vitest';
import { firefox, iphone } from '../../../test/support/browser/cookies.ts';
import { deviceName } from './device-name.ts';

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0';

test.each([
  ['Firefox on Windows', firefox],
  ['Safari on iPhone', iphone],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${chrome} Mobile Safari/537.36`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/141.0.0.0`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
  ],
  ['curl', 'curl/8.14.1'],
  ['python-requests', 'python-requests/2.32.4'],
  ['node', 'node'],
  ['Unknown device', '<a href="https://evil.example">Click</a>'],
  ['Unknown device', ''],
  ['Unknown device', undefined],
])('%s', (words, userAgent) => {
  expect(deviceName(userAgent)).toBe(words);
});

import { expect, test } from 'vitest';
import { linkCookie, linkTokenFor } from './link-cookie.ts';

const cookieIn = (header: string) => header.split(';')[0]!;

test.each([
  ['http://crier.test', 'https://crier.test'],
  ['https://crier.test', 'http://crier.test'],
])(
  'at %s, a consent belongs to the link of its own cookie, and not to one that fits another scheme',
  (publicUrl, other) => {
    const own = cookieIn(linkCookie({ publicUrl }, 'state', 'own'));
    const planted = cookieIn(linkCookie({ publicUrl: other }, 'state', 'planted'));
    const tokenIn = (cookie: string) => linkTokenFor({ publicUrl }, { headers: { cookie } }, 'state');
    expect(tokenIn(`${planted}; ${own}`)).toBe('own');
    expect(tokenIn(planted)).toBeNull();
  },
);

import type { Connection, PlatformLimits } from '@crier/client';
import { describe, expect, test } from 'vitest';
import type { CheckedText } from '../validation/checked-texts.ts';
import { countersFor } from './counters.ts';

const limitsOf = (standard: number, counting: PlatformLimits['counting'], supportsThreading: boolean) =>
  ({ characters: { standard }, counting, requirements: { supportsThreading } }) as PlatformLimits;
const limits = {
  twitter: limitsOf(280, { unit: 'weighted', networkLinkLength: 23 }, true),
  mastodon: limitsOf(500, { unit: 'fediverse', linkLength: 23 }, false),
};
const channel = (platform: string) => ({ platformId: `${platform}-1`, platform, username: '@ada' }) as Connection;
const earlier = (more: Partial<CheckedText>): CheckedText => ({
  platforms: ['twitter-1'],
  length: 5,
  maxLength: 280,
  counting: { unit: 'weighted', networkLinkLength: 23 },
  parts: ['Hello'],
  ...more,
});
const onX = (text: string, texts: readonly CheckedText[] = [], state: 'checking' | 'current' = 'checking') =>
  countersFor(text, [channel('twitter')], { state, texts }, limits).map((counter) => counter.text);

describe('a counter', () => {
  test('counts what was typed since the server’s answer, or before the first one', () => {
    expect(onX('Hello, world')).toEqual(['X: 268 characters left']);
    expect(onX('Hello, world', [earlier({})])).toEqual(['X: 268 characters left']);
    expect(onX('日本')).toEqual(['X: 276 characters left']);
  });

  test('shows one number where Crier and the network count links differently: that of the longer count', () => {
    expect(onX(`https://example.com/${'x'.repeat(40)}`)).toEqual(['X: 220 characters left']);
    expect(onX('https://a.co')).toEqual(['X: 257 characters left']);
    expect(onX('Hi https://a.co', [earlier({ length: 15, networkLength: 26 })], 'current')).toEqual([
      'X: 254 characters left',
    ]);
  });

  test('appears only where it matters if many networks are selected', () => {
    const platforms = ['twitter', 'mastodon', 'bluesky', 'threads', 'linkedin'];
    const counting = { unit: 'utf16' } as const;
    const lengths = { bluesky: 300, threads: 500, linkedin: 3000 };
    const all = {
      ...limits,
      ...Object.fromEntries(Object.entries(lengths).map(([name, max]) => [name, limitsOf(max, counting, false)])),
    };
    const shown = (text: string, count: number) =>
      countersFor(text, platforms.slice(0, count).map(channel), { state: 'checking', texts: [] }, all).map(
        ({ text }) => text.split(':')[0],
      );
    expect(shown('Hello', 3)).toEqual(['X', 'Mastodon', 'Bluesky']);
    expect(shown('Hello', 5)).toEqual(['X']);
    expect(shown('x'.repeat(275), 5)).toEqual(['X', 'Bluesky']);
    expect(shown('x'.repeat(490), 5)).toEqual(['Mastodon', 'Bluesky', 'Threads']);
  });

  test('uses the limit and the link length of the account’s own server', () => {
    const own = earlier({
      platforms: ['mastodon-1'],
      maxLength: 5000,
      counting: { unit: 'fediverse', linkLength: 256 },
    });
    const [counter] = countersFor(
      'https://example.com',
      [channel('mastodon')],
      { state: 'checking', texts: [own] },
      limits,
    );
    expect(counter!.text).toBe('Mastodon: 4,744 characters left');
  });

  test('shows the server’s numbers once they are about this text', () => {
    expect(onX('Hello', [earlier({ length: 7 })], 'current')).toEqual(['X: 273 characters left']);
  });

  test('keeps the number of posts of a thread until the next answer, unless its cuts are gone', () => {
    const parts = ['One two', 'three four'];
    expect(onX('One two three four, five', [earlier({ parts })])).toEqual(['X: thread of 2 posts']);
    expect(onX('Something else', [earlier({ parts })])).toEqual(['X: 266 characters left']);
    expect(onX('x'.repeat(281))).toEqual(['X: thread']);
  });
});

import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

test.each([
  ['  Server 1 ', 'Server 1'],
  ['a < b > c, <3', 'a < b > c, <3'],
  ['<b>bold</b>', 'bold'],
  ['<img src=x onerror=alert(1)', ''],
  ['<<b>b>twice', 'twice'],
  ['x<<i><a>b c', 'x'],
  ['<scr<script>ipt>alert(1)</script>', 'ipt>alert(1)'],
  ['<!-- note -->x<?php y', 'x'],
  ['<\u0000b>x', 'x'],
  ['<\u200bb>x', 'x'],
  ['Zoë 👩‍🚀', 'Zoë 👩‍🚀'],
])('%j becomes %j', (text, plain) => {
  expect(plainName(text)).toBe(plain);
});

test.each([
  ['bidi overrides and isolates', 'a\u202eb\u202c\u2066c\u2069\u200f\u061cd', 'abcd'],
  ['zero-width characters', 'Cla\u200bu\u200dd\u200ce\u2060\ufeff', 'Claude'],
  ['soft hyphens, fillers and tag characters', 'a\u00adb\u3164c\u{e0061}', 'abc'],
  ['joiners and variation selectors without an emoji', '\u200d🚀\u200d\u200d\ufe0fa\ufe0f', '🚀a'],
])('%s are removed', (_, text, plain) => {
  expect(plainName(text)).toBe(plain);
});

test.each(['👨‍👩‍👧', '❤️‍🔥', '1️⃣', '👩🏽‍🚀', 'می‌خواهم', 'क्‍ष'])('%s keeps its joiners', (name) => {
  expect(plainName(name)).toBe(name);
});

test('takes time in proportion to the length of the name', () => {
  const fastestMs = (nested: number) =>
    Math.min(
      ...Array.from({ length: 3 }, () => {
        const before = process.cpuUsage();
        expect(plainName('<'.repeat(nested) + 'b>'.repeat(nested))).toBe('');
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      }),
    );
  fastestMs(2000);
  // Quadratic time would take 64 times as long.
  expect(fastestMs(16_000)).toBeLessThan(30 * Math.max(1, fastestMs(2000)));
});

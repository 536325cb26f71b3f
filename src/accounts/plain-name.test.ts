import { expect, test } from 'vitest';
import { plainName } from './plain-name.ts';

test.each([
  ['  Server 1 ', 'Server 1'],
  ['a < b > c, <3', 'a < b > c, <3'],
  ['<b>bold</b>', 'bold'],
  ['<img src=x onerror=alert(1)', ''],
  ['<<b>b>twice', 'twice'],
  ['<scr<script>ipt>alert(1)</script>', 'ipt>alert(1)'],
  ['<!-- note -->x<?php y', 'x'],
  ['<\u0000b>x', 'x'],
  ['Zoë 👩‍🚀', 'Zoë 👩‍🚀'],
])('%j becomes %j', (text, plain) => {
  expect(plainName(text)).toBe(plain);
});

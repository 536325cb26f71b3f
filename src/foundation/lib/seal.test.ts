import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { seal, sealingKey, unseal } from './seal.ts';

const [first, second] = [sealingKey('11'.repeat(32)), sealingKey('22'.repeat(32))];
const keys = { current: first, previous: [] };

test('a sealed text opens to the same text', () => {
  fc.assert(
    fc.property(anyString(), (text) => {
      const wellFormed = text.toWellFormed();
      expect(unseal(seal(wellFormed, 'here', keys), 'here', keys)).toBe(wellFormed);
    }),
  );
});

test('the sealed form does not show the text, and is never the same twice', () => {
  const [one, two] = [seal('a secret token', 'here', keys), seal('a secret token', 'here', keys)];
  expect(one).not.toContain('secret');
  expect(one).not.toBe(two);
});

test('a record opens only with its own context and unchanged', () => {
  const sealed = seal('text', 'connection 1', keys);
  expect(() => unseal(sealed, 'connection 2', keys)).toThrow();
  const at = sealed.lastIndexOf('.') + 1;
  const flipped = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  expect(() => unseal(flipped, 'connection 1', keys)).toThrow();
});

test('after a rotation the old key still opens, and the new one seals', () => {
  const sealed = seal('text', 'here', keys);
  const rotated = { current: second, previous: [first] };
  expect(unseal(sealed, 'here', rotated)).toBe('text');
  expect(() => unseal(seal('text', 'here', rotated), 'here', keys)).toThrow(`Sealed with key ${second.id}`);
});

test('a key of another length is refused', () => {
  expect(() => sealingKey('abcd')).toThrow('64 hex digits');
});

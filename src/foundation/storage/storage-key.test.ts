import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString } from '../../../test/support/any-string.ts';
import { isContentType } from './storage.ts';
import { cleanFileName, isStorageKey, nameInKey, storageKey } from './storage-key.ts';

const now = new Date(1_799_999_999_999);

test('a key has the time, the position, random digits and the name', () => {
  expect(storageKey('image', ' My holiday (1).PNG ', now, 0)).toMatch(
    /^images\/1799999999999-0-[0-9a-f]{8}-My_holiday_1.PNG$/,
  );
  expect(storageKey('video', 'a.mp4', now, 3)).toMatch(/^videos\/1799999999999-3-[0-9a-f]{8}-a.mp4$/);
  expect(storageKey('document', 'a.pdf', now, 12)).toMatch(/^documents\/1799999999999-12-[0-9a-f]{8}-a.pdf$/);
  expect(storageKey('image', 'a', now, 0)).not.toBe(storageKey('image', 'a', now, 0));
});

test('a name without valid characters becomes "file"', () => {
  expect(nameInKey(storageKey('image', '☃', now, 0))).toBe('file');
});

test('a name that is too long for a file system keeps its extension', () => {
  expect(cleanFileName(`${'x'.repeat(300)}.jpeg`)).toBe(`${'x'.repeat(195)}.jpeg`);
  expect(cleanFileName('x'.repeat(300))).toHaveLength(200);
});

test('the key of any file name is valid and contains the cleaned name', () => {
  fc.assert(
    fc.property(anyString({ maxLength: 250 }), (name) => {
      const key = storageKey('image', name, now, 0);
      expect(isStorageKey(key)).toBe(true);
      expect(nameInKey(key)).toBe(cleanFileName(name) || 'file');
    }),
  );
});

test.each(['image/png', 'video/mp4; codecs="avc1.64, mp4a"', 'application/pdf', 'image/svg+xml', 'a/b;c=d'])(
  '%s is a content type',
  (text) => expect(isContentType(text)).toBe(true),
);

test.each([
  '',
  'image',
  'image/',
  'image/png\r\nx: y',
  'image/png;',
  'image/p ng',
  'image/ñ',
  `image/${'x'.repeat(300)}`,
])('%j is no content type', (text) => expect(isContentType(text)).toBe(false));

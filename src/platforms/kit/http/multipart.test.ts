import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString } from '../../../../test/support/any-string.ts';
import { multipart } from './multipart.ts';

const read = (body: Blob) => new Response(body).formData();

test('texts are sent unchanged, including line breaks', async () => {
  await fc.assert(
    fc.asyncProperty(anyString(), async (text) => {
      expect((await read(multipart({ text }))).get('text')).toBe(text);
    }),
  );
});

test('files are sent with name, type and bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      const file = { blob: new Blob([new Uint8Array(bytes)]), fileName: 'a.mp4', type: 'video/mp4' };
      const form = await read(multipart({ before: 'a', file, after: 'b' }));
      const found = form.get('file') as File;
      expect([found.name, found.type]).toEqual(['a.mp4', 'video/mp4']);
      expect(new Uint8Array(await found.arrayBuffer())).toEqual(bytes);
      expect([...form.keys()]).toEqual(['before', 'file', 'after']);
    }),
  );
});

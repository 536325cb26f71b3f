import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fixture, stored } from '../../../../test/support/files/inspection.ts';
import { inspect } from './inspect.ts';

const page = '<!doctype html><html><body><script>alert(1)</script></body></html>';

test.each([
  ['an empty file', '', /is empty/],
  ['a web page', page, /web page/],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', /SVG images are not accepted/],
  ['an SVG after an XML declaration', '<?xml version="1.0"?>\n<!-- x -->\n<svg/>', /SVG images are not accepted/],
  ['a text under the name of an image', 'this is not a photo.jpg', /cannot be detected/],
  ['an archive', zip(), /type ZIP are not accepted/],
  ['a sound', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(400, 0xff)]), /./],
  ['a JPEG XL', Buffer.from('0000000c4a584c200d0a870a', 'hex'), /type JXL are not accepted/],
  ['an old phone video', Buffer.from('00000014667479703367703400000000', 'hex'), /type 3GP are not accepted/],
])('%s has no accepted type', async (_name, content, message) => {
  const refused = inspect(stored(Buffer.from(content)));
  const expected = { code: 'MEDIA_FILE_INDETERMINATE_TYPE', message: expect.stringMatching(message) };
  await expect(refused).rejects.toMatchObject(expected);
});

test.each([
  ['JPEG', 'ffd8ffe000104a46494600'],
  ['PNG', '89504e470d0a1a0a0000000d49484452'],
  ['GIF', '474946383961'],
  ['WebP', '52494646ff00000057454250'],
  ['TIFF', '49492a0008000000'],
  ['BMP', '424d'],
  ['AVIF', '0000001c6674797061766966000000006d6966316d696166'],
  ['MP4', '00000018667479706d703432000000006d70343269736f6d'],
  ['MOV', '0000001466747970717420200000000071742020'],
  ['WebM', '1a45dfa38842828477656 26d'.replace(' ', '')],
  ['AVI', '52494646ff00000041564920'],
  ['PDF', '255044462d312e370a'],
])('a web page that begins like a %s is refused', async (_name, prefix) => {
  const content = Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.from(page)]);
  await expect(inspect(stored(content))).rejects.toMatchObject({
    code: expect.stringMatching(/^(PROBE_FAILED|MEDIA_FILE_INDETERMINATE_TYPE)$/),
    message: expect.stringMatching(/^[A-Z].*\.$/),
  });
});

test('no refusal contains a path or the message of a parser', async () => {
  for (const bytes of [fixture('small.heic').subarray(0, 300), Buffer.from('ffd8ffe000104a464946', 'hex')]) {
    await expect(inspect(stored(bytes))).rejects.toMatchObject({ message: expect.not.stringMatching(/\/|vips|heif:/) });
  }
});

function zip(): Buffer {
  const content = deflateRawSync('hello');
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(content.length, 18);
  header.writeUInt16LE(5, 26);
  return Buffer.concat([header, Buffer.from('a.txt'), content]);
}

/** Files as an iPhone gives them. Chromium can read neither. */

/** Only the first bytes of a photo. */
export const aHeicPhoto = {
  name: 'IMG_1.HEIC',
  mimeType: 'image/heic',
  buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
};

/** Only the index of a video. */
export const anHevcVideo = {
  name: 'IMG_2.MOV',
  mimeType: 'video/quicktime',
  buffer: Buffer.concat([
    box('ftyp', Buffer.from('qt  \0\0\0\0qt  ', 'latin1')),
    box('moov', box('stsd', Buffer.from('\0\0\0\0\0\0\0\x01\0\0\0\x80hvc1', 'latin1'))),
  ]),
};

function box(type: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 8);
  return Buffer.concat([size, Buffer.from(type, 'latin1'), content]);
}

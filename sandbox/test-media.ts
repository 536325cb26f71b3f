/** The smallest valid PNG: one pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Starts like an MP4, so the sandbox takes it for one. It has no duration. */
export const tinyMp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(64)]);

/** Starts like a JPEG of this size. `padding` makes the file larger. */
export function makeJpeg(width = 1080, height = 1080, padding = 0): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, ...Array(9).fill(0)]);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  return Buffer.concat([frame, Buffer.alloc(padding), Buffer.from([0xff, 0xd9])]);
}

/** An MP4 whose header states this duration. With a frame rate it has a video track too. */
export function makeMp4(seconds: number, framesPerSecond?: number, size = { width: 320, height: 180 }): Buffer {
  const header = Buffer.alloc(100);
  header.writeUInt32BE(1000, 12);
  header.writeUInt32BE(seconds * 1000, 16);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box(
      'moov',
      Buffer.concat([
        box('mvhd', header),
        ...(framesPerSecond ? [track(header, seconds * framesPerSecond, size)] : []),
      ]),
    ),
    box('mdat', Buffer.alloc(64)),
  ]);
}

function track(duration: Buffer, frames: number, { width, height }: { width: number; height: number }): Buffer {
  const size = Buffer.alloc(84);
  size.writeUInt16BE(width, 76);
  size.writeUInt16BE(height, 80);
  const samples = Buffer.alloc(16);
  samples.writeUInt32BE(1, 4);
  samples.writeUInt32BE(frames, 8);
  const table = box('minf', box('stbl', box('stts', samples)));
  return box('trak', Buffer.concat([box('tkhd', size), box('mdia', Buffer.concat([box('mdhd', duration), table]))]));
}

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4);
  return Buffer.concat([head, content]);
}

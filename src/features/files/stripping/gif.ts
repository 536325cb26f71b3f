import type { Bytes } from '../inspection/bytes.ts';
import { ascii, keep, type Piece, segmentCounter } from './pieces.ts';

const [image, extension, trailer] = [0x2c, 0x21, 0x3b];
const [commentLabel, applicationLabel] = [0xfe, 0xff];
/** They repeat the animation or contain the colour profile. Blocks of other applications are XMP or similar. */
const needed = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** Drops comments, application blocks and everything after the end. All frames stay. */
export async function strippedGif(file: Bytes): Promise<Piece[]> {
  const flags = (await byteAt(file, 10)) ?? 0;
  let at = 13 + colourTableBytes(flags);
  const kept: Piece[] = [{ start: 0, end: at }];
  const count = segmentCounter();
  for (let kind = await byteAt(file, at); kind !== undefined && kind !== trailer; kind = await byteAt(file, at)) {
    count();
    if (kind !== image && kind !== extension) throw new Error(`no block at ${at}`);
    const data = kind === image ? at + 11 + colourTableBytes((await byteAt(file, at + 9)) ?? 0) : at + 2;
    const end = await endOfSubBlocks(file, data);
    if (kind === image || (await isNeeded(file, at))) keep(kept, { start: at, end });
    at = end;
  }
  return [...kept, Uint8Array.of(trailer)];
}

async function isNeeded(file: Bytes, at: number): Promise<boolean> {
  const label = await byteAt(file, at + 1);
  if (label === applicationLabel) return needed.has(ascii(await file.read(at + 3, at + 14)));
  return label !== commentLabel;
}

const byteAt = async (file: Bytes, at: number) => (await file.read(at, at + 1))[0];

const colourTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

/** Most frames and extensions are short, so few bytes are read unnecessarily. */
const chunkBytes = 4_096;

/** Data comes in blocks of up to 255 bytes, each preceded by its length. An empty block is the last one. */
async function endOfSubBlocks(file: Bytes, start: number): Promise<number> {
  let at = start;
  while (at < file.size) {
    const chunk = await file.read(at, at + chunkBytes);
    let place = 0;
    while (place < chunk.length) {
      const length = chunk[place]!;
      place += 1 + length;
      if (length === 0) return at + place;
    }
    at += place;
  }
  return file.size;
}

import type { Bytes } from '../inspection/bytes.ts';
import { ascii, keep, lengthOf, type Piece, segmentCounter } from './pieces.ts';

const needed = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Bits of the first byte of VP8X. */
const [exifFlag, xmpFlag] = [0x08, 0x04];

/** Drops EXIF, XMP and unknown chunks. Updates the size and the flags in the header. */
export async function strippedWebp(file: Bytes): Promise<Piece[]> {
  const chunks: Piece[] = [];
  const count = segmentCounter();
  for (let at = 12; at + 8 <= file.size; ) {
    count();
    const header = Buffer.from(await file.read(at, at + 9));
    const type = ascii(header.subarray(0, 4));
    const size = header.readUInt32LE(4);
    // A chunk of odd length is followed by a padding byte.
    const end = Math.min(at + 8 + size + (size % 2), file.size);
    if (type === 'VP8X') {
      header[8]! &= ~(exifFlag | xmpFlag);
      keep(chunks, header);
      keep(chunks, { start: at + 9, end });
    } else if (needed.has(type)) keep(chunks, { start: at, end });
    at = end;
  }
  const riff = Buffer.from(await file.read(0, 12));
  riff.writeUInt32LE(4 + chunks.reduce((sum, piece) => sum + lengthOf(piece), 0), 4);
  return [riff, ...chunks];
}

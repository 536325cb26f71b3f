import type { Bytes } from '../inspection/bytes.ts';
import { ascii, keep, type Piece, segmentCounter } from './pieces.ts';

/** Chunks that affect how the image looks. Critical chunks, in capitals, are always kept. */
const needed = /^([A-Z]...|tRNS|gAMA|cHRM|sRGB|iCCP|cICP|mDC[Vv]|cLL[Ii]|sBIT|bKGD|pHYs|hIST|sPLT|acTL|fcTL|fdAT)$/;

/** Drops texts, times, EXIF, unknown chunks and everything after the end. */
export async function strippedPng(file: Bytes): Promise<Piece[]> {
  const kept: Piece[] = [{ start: 0, end: 8 }];
  const count = segmentCounter();
  for (let at = 8; at + 8 <= file.size; ) {
    count();
    const header = Buffer.from(await file.read(at, at + 8));
    const type = ascii(header.subarray(4));
    // The length includes neither itself nor the type and checksum.
    const end = at + 12 + header.readUInt32BE(0);
    if (needed.test(type)) keep(kept, { start: at, end: Math.min(end, file.size) });
    if (type === 'IEND') break;
    at = end;
  }
  return kept;
}

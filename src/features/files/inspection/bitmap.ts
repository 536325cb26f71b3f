import type { Bytes } from './bytes.ts';
import { InspectionError } from './inspection.ts';

/** Reads the header of a BMP, because sharp does not support the format. */
export async function readBitmap(bytes: Bytes): Promise<{ width: number; height: number }> {
  const head = Buffer.from(await bytes.read(0, 54));
  const headerSize = head.length >= 26 ? head.readUInt32LE(14) : 0;
  const old = headerSize === 12;
  if (!old && !(head.length === 54 && [40, 52, 56, 64, 108, 124].includes(headerSize))) damaged();
  const width = old ? head.readUInt16LE(18) : head.readInt32LE(18);
  // A negative height means that the rows start at the top.
  const height = Math.abs(old ? head.readUInt16LE(20) : head.readInt32LE(22));
  const bitsPerPixel = head.readUInt16LE(old ? 24 : 28);
  const packed = !old && ![0, 3, 6].includes(head.readUInt32LE(30));
  const pixelBytes = packed ? 1 : Math.ceil((width * bitsPerPixel) / 32) * 4 * height;
  if (![1, 2, 4, 8, 16, 24, 32].includes(bitsPerPixel) && !packed) damaged();
  if (head.readUInt32LE(10) + pixelBytes > bytes.size) damaged();
  return { width, height };
}

function damaged(): never {
  throw new InspectionError('PROBE_FAILED', 'The image is damaged or incomplete. Export or upload it again.');
}

import type { Bytes } from './bytes.ts';
import { InspectionError } from './inspection.ts';

/** Containers state their length: a shorter file was not uploaded completely. */
export async function refuseTruncated(bytes: Bytes, format: string): Promise<void> {
  const cut = await (format === 'avi'
    ? riffIsTruncated(bytes)
    : /^(mkv|webm)$/.test(format)
      ? ebmlIsTruncated(bytes)
      : isoIsTruncated(bytes));
  if (cut) throw new InspectionError('PROBE_FAILED', 'The file is incomplete: its end is missing. Upload it again.');
}

/** Only fragmented files have more top-level boxes than this, and they stay playable when truncated. */
const maxBoxes = 200;

async function isoIsTruncated(bytes: Bytes): Promise<boolean> {
  let at = 0;
  for (let box = 0; box < maxBoxes && at + 8 <= bytes.size; box += 1) {
    const header = Buffer.from(await bytes.read(at, at + 16));
    // Phones append their own data after the last box, so unknown boxes are ignored.
    if (!/^(ftyp|moov|mdat|moof|meta|free|wide|skip|uuid)$/.test(header.toString('latin1', 4, 8))) return false;
    const short = header.readUInt32BE(0);
    if (short === 0) return false;
    const long = short === 1 && header.length === 16;
    const length = long ? Number(header.readBigUInt64BE(8)) : short;
    if (length < (long ? 16 : 8) || at + length > bytes.size) return true;
    at += length;
  }
  return false;
}

async function riffIsTruncated(bytes: Bytes): Promise<boolean> {
  const header = Buffer.from(await bytes.read(0, 8));
  return header.length < 8 || header.readUInt32LE(4) + 8 > bytes.size;
}

/** The EBML header is followed by a segment with everything else. Live recordings leave its size unknown. */
async function ebmlIsTruncated(bytes: Bytes): Promise<boolean> {
  const head = await bytes.read(0, 4_096);
  const header = sizeAt(head, 4);
  const segment = 4 + header.width + (header.value ?? 0);
  if (Buffer.from(head.subarray(segment, segment + 4)).toString('hex') !== '18538067') return false;
  const { value, width } = sizeAt(head, segment + 4);
  return value !== null && segment + 4 + width + value > bytes.size;
}

/** EBML's variable-length number. All ones mean "unknown". */
function sizeAt(bytes: Uint8Array, at: number): { value: number | null; width: number } {
  const first = bytes[at] ?? 0;
  const width = Math.clz32(first) - 23;
  if (width > 8) return { value: null, width: 8 };
  let value = first & (0xff >> width);
  let open = value === 0xff >> width;
  for (const byte of bytes.subarray(at + 1, at + width)) {
    value = value * 256 + byte;
    open &&= byte === 0xff;
  }
  return { value: open ? null : value, width };
}

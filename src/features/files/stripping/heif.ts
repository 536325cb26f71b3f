import type { Bytes } from '../inspection/bytes.ts';
import { ascii, keep, type Piece, segmentCounter } from './pieces.ts';

interface Box {
  readonly type: string;
  /** The offset of its content. */
  readonly start: number;
  readonly end: number;
}
interface Extent {
  readonly start: number;
  readonly end: number;
}

const known = new Set(['ftyp', 'meta', 'mdat', 'moov', 'free', 'skip']);
/** EXIF. XMP is an item of a MIME type. */
const privateItems = new Set(['Exif', 'mime']);
const maxMetaBytes = 16_777_216;
/** Files of cameras and programs have up to three. */
const maxExtents = 32;

/**
 * HEIC, HEIF and AVIF, with EXIF and XMP overwritten by zeros, because other items are located by their offset in the
 * file. Drops videos and other data that phones append. Null if there is nothing to remove.
 */
export async function strippedHeif(file: Bytes): Promise<Piece[] | null> {
  const boxes = await topBoxes(file);
  const end = boxes.findLast(({ type }) => known.has(type))?.end ?? file.size;
  const meta = boxes.find(({ type }) => type === 'meta');
  const blank = meta ? await privateExtents(file, meta) : [];
  if (blank.length === 0 && end === file.size) return null;
  const pieces: Piece[] = [];
  let at = 0;
  for (const extent of blank.sort((one, other) => one.start - other.start)) {
    if (extent.start < at || extent.end > end) throw new Error('items overlap or lie outside the file');
    keep(pieces, { start: at, end: extent.start });
    keep(pieces, new Uint8Array(extent.end - extent.start));
    at = extent.end;
  }
  return [...pieces, { start: at, end }];
}

async function topBoxes(file: Bytes): Promise<Box[]> {
  const boxes: Box[] = [];
  const count = segmentCounter();
  for (let at = 0; at + 8 <= file.size; at = boxes.at(-1)!.end) {
    count();
    boxes.push(boxAt(Buffer.from(await file.read(at, at + 16)), 0, file.size - at, at));
  }
  return boxes;
}

/** The box at `place` of the bytes, which start at `offset` of the file. */
function boxAt(bytes: Buffer, place: number, room: number, offset: number): Box {
  const short = bytes.readUInt32BE(place);
  const header = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(bytes.readBigUInt64BE(place + 8)) : short || room;
  if (size < header || size > room) throw new Error('a box does not fit');
  const type = ascii(bytes.subarray(place + 4, place + 8));
  return { type, start: offset + place + header, end: offset + place + size };
}

/** The location of EXIF and XMP. */
async function privateExtents(file: Bytes, meta: Box): Promise<Extent[]> {
  if (meta.end - meta.start > maxMetaBytes) throw new Error('too many items');
  const bytes = Buffer.from(await file.read(meta.start, meta.end));
  const boxes: Box[] = [];
  const count = segmentCounter();
  // Version and flags precede the boxes.
  for (let at = 4; at + 8 <= bytes.length; at = boxes.at(-1)!.end) {
    count();
    boxes.push(boxAt(bytes, at, bytes.length - at, 0));
  }
  const contentOf = (type: string) => {
    const box = boxes.find((one) => one.type === type);
    return box ? bytes.subarray(box.start, box.end) : null;
  };
  const [items, places] = [contentOf('iinf'), contentOf('iloc')];
  if (!items || !places) return [];
  const dataStart = meta.start + (boxes.find(({ type }) => type === 'idat')?.start ?? 0);
  const ids = privateIds(items);
  return placesOf(places, dataStart, ids);
}

function privateIds(bytes: Buffer): Set<number> {
  const ids = new Set<number>();
  const count = segmentCounter();
  for (let at = bytes[0] === 0 ? 6 : 8; at + 8 <= bytes.length; ) {
    count();
    const entry = boxAt(bytes, at, bytes.length - at, 0);
    const isLong = bytes[entry.start] === 3;
    const id = isLong ? bytes.readUInt32BE(entry.start + 4) : bytes.readUInt16BE(entry.start + 4);
    const place = entry.start + (isLong ? 10 : 8);
    if (privateItems.has(ascii(bytes.subarray(place, place + 4)))) ids.add(id);
    at = entry.end;
  }
  return ids;
}

/** The locations of items with these ids, from the item location box (ISO/IEC 14496-12, 8.11.3). */
function placesOf(bytes: Buffer, dataStart: number, ids: ReadonlySet<number>): Extent[] {
  const version = bytes[0]!;
  let at = 4;
  const take = (size: number) => {
    at += size;
    if (size === 8) return Number(bytes.readBigUInt64BE(at - 8));
    return size === 0 ? 0 : bytes.readUIntBE(at - size, size);
  };
  const [sizes, more] = [take(1), take(1)];
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 4, sizes & 15, more >> 4, more & 15];
  // An extent without a length is the whole file, which cannot be overwritten.
  if (lengthSize === 0) throw new Error('an extent has no length');
  const found: Extent[] = [];
  const count = segmentCounter();
  for (let left = take(version < 2 ? 2 : 4); left > 0; left -= 1) {
    count();
    const id = take(version < 2 ? 2 : 4);
    const isInData = version > 0 && (take(2) & 15) === 1;
    take(2);
    const base = take(baseSize) + (isInData ? dataStart : 0);
    const extents = take(2);
    if (extents > maxExtents) throw new Error(`an item in ${extents} places`);
    for (let extent = 0; extent < extents; extent += 1) {
      if (version > 0) take(indexSize);
      const start = base + take(offsetSize);
      const end = start + take(lengthSize);
      if (!ids.has(id)) continue;
      count();
      found.push({ start, end });
    }
  }
  return found;
}

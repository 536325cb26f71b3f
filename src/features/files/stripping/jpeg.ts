import type { Bytes } from '../inspection/bytes.ts';
import { ascii, keep, type Piece, segmentCounter } from './pieces.ts';

const [fill, startOfScan, endOfImage, comment] = [0xff, 0xda, 0xd9, 0xfe];
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;
/** Markers without a length: TEM and the restarts. */
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/**
 * Keeps everything that decoding needs, up to the end of the image. Drops everything after it: phones append videos
 * and further images there, with their own metadata.
 */
export async function strippedJpeg(file: Bytes): Promise<Piece[]> {
  const kept: Piece[] = [{ start: 0, end: 2 }];
  const count = segmentCounter();
  for (let at = 2; at < file.size; ) {
    count();
    at = await endOfFill(file, at);
    const [first, marker, high = 0, low = 0] = await file.read(at, at + 4);
    if (first !== 0xff || marker === undefined) throw new Error(`no marker at ${at}`);
    const hasLength = marker !== endOfImage && !standsAlone(marker);
    const end = at + 2 + (hasLength ? high * 256 + low : 0);
    const next = marker === startOfScan ? await endOfScan(file, end) : end;
    if (marker !== comment && (!isApplication(marker) || (await isNeeded(file, marker, at + 4))))
      keep(kept, { start: at, end: next });
    if (marker === endOfImage) break;
    at = next;
  }
  return kept;
}

const maxChunkBytes = 65_536;
/** Chunks grow, so that neither thousands of short runs nor a long one cause many bytes to be read. */
const nextLength = (length: number) => Math.min(length * 16, maxChunkBytes);

/**
 * Any number of fill bytes may precede a marker. Returns the offset of the last 0xff before it, which belongs to the
 * marker.
 */
async function endOfFill(file: Bytes, start: number): Promise<number> {
  for (let at = start, length = 4; at < file.size; length = nextLength(length)) {
    const chunk = await file.read(at, at + length);
    const place = chunk.findIndex((byte) => byte !== fill);
    if (place !== -1) return Math.max(start, at + place - 1);
    at += chunk.length;
  }
  return file.size - 1;
}

/**
 * JFIF, colour profiles, and Adobe's marker for the colour encoding. The rest is EXIF, XMP, IPTC, maker notes and so
 * on.
 */
async function isNeeded(file: Bytes, marker: number, at: number): Promise<boolean> {
  const name = ascii(await file.read(at, at + 12));
  if (marker === 0xe0) return name.startsWith('JFIF\0');
  if (marker === 0xe2) return name === 'ICC_PROFILE\0';
  return marker === 0xee && name.startsWith('Adobe');
}

/** The end of the compressed data: the next marker that is neither a stuffed byte nor a restart. */
async function endOfScan(file: Bytes, start: number): Promise<number> {
  for (let at = start, length = 1_024; at < file.size; at += length, length = nextLength(length)) {
    // One extra byte, so that a marker is never split.
    const chunk = await file.read(at, at + length + 1);
    for (let place = chunk.indexOf(0xff); place !== -1; place = chunk.indexOf(0xff, place + 1)) {
      const marker = chunk[place + 1];
      if (marker !== undefined && marker !== 0 && !standsAlone(marker)) return at + place;
    }
  }
  return file.size;
}

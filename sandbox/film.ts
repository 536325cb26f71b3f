import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Film {
  readonly seconds: number | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** What an MP4 or QuickTime film says of itself in its index, wherever that stands; null where it says nothing. */
export function readFilm(path: string): Film {
  const file = openSync(path, 'r');
  try {
    const movie = findBox(file, 'moov', 0, fstatSync(file).size);
    if (!movie) return { seconds: null, width: null, height: null };
    const header = findBox(file, 'mvhd', movie.start, movie.end);
    const seconds = header ? readDuration(read(file, header.start, Math.min(32, header.end - header.start))) : null;
    return { seconds, ...pictureSize(file, movie) };
  } finally {
    closeSync(file);
  }
}

export const filmSeconds = (path: string): number | null => readFilm(path).seconds;

/** That of the first track that has one: the last two numbers of its header, each with 16 bits behind the point. */
function pictureSize(file: number, movie: Box): Pick<Film, 'width' | 'height'> {
  for (let track = findBox(file, 'trak', movie.start, movie.end); track; ) {
    const header = findBox(file, 'tkhd', track.start, track.end);
    const last = header ? read(file, header.end - 8, 8) : Buffer.alloc(8);
    const [width, height] = [last.readUInt16BE(0), last.readUInt16BE(4)];
    if (width > 0 && height > 0) return { width, height };
    track = findBox(file, 'trak', track.end, movie.end);
  }
  return { width: null, height: null };
}

/** Version 1 has dates and the duration in 64 bits. */
function readDuration(header: Buffer): number | null {
  const isLong = header[0] === 1;
  if (header.length < (isLong ? 32 : 20)) return null;
  const timescale = header.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return timescale === 0 ? null : duration / timescale;
}

function findBox(file: number, type: string, from: number, to: number): Box | undefined {
  for (let at = from; at + 8 <= to; ) {
    const box = readBox(file, at, to);
    if (!box) return undefined;
    if (box.type === type) return box;
    at = box.end;
  }
  return undefined;
}

/** A size of 1 means that the real one follows in 64 bits; 0, that the box is the last. */
function readBox(file: number, at: number, to: number): Box | undefined {
  const head = read(file, at, 16);
  const short = head.readUInt32BE(0);
  const isLong = short === 1 && head.length === 16;
  const headBytes = isLong ? 16 : 8;
  const size = isLong ? Number(head.readBigUInt64BE(8)) : short || to - at;
  if (size < headBytes || at + size > to) return undefined;
  return { type: head.toString('latin1', 4, 8), start: at + headBytes, end: at + size };
}

function read(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

export interface Mp4Metadata {
  readonly seconds: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly framesPerSecond: number | null;
}

/** Reads the index of an MP4 or QuickTime file, which may be at the start or the end. Missing values are null. */
export function readMp4Metadata(path: string): Mp4Metadata {
  const file = openSync(path, 'r');
  try {
    const movie = findBox(file, 'moov', 0, fstatSync(file).size);
    if (!movie) return { seconds: null, ...noVideo };
    const header = findBox(file, 'mvhd', movie.start, movie.end);
    const seconds = header ? readDuration(read(file, header.start, Math.min(32, header.end - header.start))) : null;
    return { seconds, ...videoTrack(file, movie) };
  } finally {
    closeSync(file);
  }
}

export const mp4Seconds = (path: string): number | null => readMp4Metadata(path).seconds;

const noVideo = { width: null, height: null, framesPerSecond: null };

/** The size is in the last 8 bytes of a track's header, as two 16.16 fixed-point numbers. Audio tracks have 0. */
function videoTrack(file: number, movie: Box): Omit<Mp4Metadata, 'seconds'> {
  for (let track = findBox(file, 'trak', movie.start, movie.end); track; ) {
    const header = findBox(file, 'tkhd', track.start, track.end);
    const last = header ? read(file, header.end - 8, 8) : Buffer.alloc(8);
    const [width, height] = [last.readUInt16BE(0), last.readUInt16BE(4)];
    if (width > 0 && height > 0) return { width, height, framesPerSecond: frameRate(file, track) };
    track = findBox(file, 'trak', track.end, movie.end);
  }
  return noVideo;
}

/** The number of samples divided by the duration of the track. */
function frameRate(file: number, track: Box): number | null {
  const media = findBox(file, 'mdia', track.start, track.end);
  const header = media && findBox(file, 'mdhd', media.start, media.end);
  const table = ['minf', 'stbl', 'stts'].reduce<Box | undefined>(
    (parent, type) => parent && findBox(file, type, parent.start, parent.end),
    media,
  );
  if (!header || !table) return null;
  const seconds = readDuration(read(file, header.start, Math.min(32, header.end - header.start)));
  const entries = read(file, table.start + 8, table.end - table.start - 8);
  let samples = 0;
  for (let at = 0; at + 8 <= entries.length; at += 8) samples += entries.readUInt32BE(at);
  return seconds ? samples / seconds : null;
}

/** Version 1 stores the dates and the duration in 64 bits. */
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

/** A size of 1 means that the real size follows in 64 bits; 0 means that the box reaches to the end. */
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

import { open } from 'node:fs/promises';

export interface Film {
  readonly seconds: number | null;
  readonly width: number | null;
  readonly height: number | null;
}

const unknown: Film = { seconds: null, width: null, height: null };
const longestIndexBytes = 64 * 1024 * 1024;

/** What an MP4 says of itself in its index (`moov`), wherever that stands in the file. */
export async function readFilm(path: string): Promise<Film> {
  await using file = await open(path);
  const { size } = await file.stat();
  let offset = 0;
  while (offset + 8 <= size) {
    const head = Buffer.alloc(16);
    await file.read(head, 0, 16, offset);
    const length = boxLength(head, size - offset);
    if (length < 8) break;
    if (head.toString('latin1', 4, 8) === 'moov' && length <= longestIndexBytes) {
      const index = Buffer.alloc(length);
      await file.read(index, 0, length, offset);
      return readIndex(index.subarray(8));
    }
    offset += length;
  }
  return unknown;
}

function readIndex(moov: Buffer): Film {
  const header = boxesIn(moov).find(({ type }) => type === 'mvhd')?.content;
  const tracks = boxesIn(moov)
    .filter(({ type }) => type === 'trak')
    .map(({ content }) => boxesIn(content).find(({ type }) => type === 'tkhd')?.content);
  const sizes = tracks.map((track) => (track ? trackSize(track) : { width: 0, height: 0 }));
  const picture = sizes.find(({ width, height }) => width > 0 && height > 0);
  return {
    seconds: header ? durationOf(header) : null,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  };
}

/** Version 1 counts in 64 bits. */
function durationOf(mvhd: Buffer): number {
  const isLong = mvhd[0] === 1;
  const scale = mvhd.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  return units / scale;
}

/** The last two numbers of the header, each with 16 bits behind the point. */
function trackSize(tkhd: Buffer): { width: number; height: number } {
  return { width: tkhd.readUInt16BE(tkhd.length - 8), height: tkhd.readUInt16BE(tkhd.length - 4) };
}

function boxesIn(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes = [];
  let offset = 0;
  while (offset + 8 <= bytes.length) {
    const length = boxLength(bytes.subarray(offset), bytes.length - offset);
    if (length < 8) break;
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      content: bytes.subarray(offset + 8, offset + length),
    });
    offset += length;
  }
  return boxes;
}

/** 1 means that the length stands behind the type in 64 bits, 0 that the box goes on to the end. */
function boxLength(head: Buffer, left: number): number {
  const length = head.readUInt32BE(0);
  if (length === 0) return left;
  return length === 1 && head.length >= 16 ? Number(head.readBigUInt64BE(8)) : length;
}

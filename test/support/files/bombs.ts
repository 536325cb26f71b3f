import { fixture } from './inspection.ts';

/** A lossless WebP of one colour: 38 bytes at any size. Its pixels need no bits at all. */
export function flatWebp(width: number, height: number): Buffer {
  const file = Buffer.alloc(38);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WEBPVP8L', 8);
  file.writeUInt32LE(file.length - 20, 16);
  file[20] = 0x2f;
  const fields: [value: number, bits: number][] = [
    [width - 1, 14],
    [height - 1, 14],
    // No alpha, version, transforms or colour cache, and only one group of codes.
    [0, 1 + 3 + 1 + 1 + 1],
    // Green, red, blue and alpha: a simple code of one symbol with eight bits.
    ...[120, 60, 200, 255].flatMap((colour): [number, number][] => [
      [0b101, 3],
      [colour, 8],
    ]),
    // Distances: a simple code of one symbol with one bit.
    [0b001, 4],
  ];
  let at = 21 * 8;
  for (const [value, bits] of fields)
    for (let bit = 0; bit < bits; bit += 1, at += 1) file[at >> 3]! |= ((value >> bit) & 1) << (at & 7);
  return file;
}

const words = (values: readonly number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};
/** A box of an MP4. Most begin with a version and flags. */
const box = (type: string, ...content: readonly Uint8Array[]) => {
  const length = content.reduce((sum, { byteLength }) => sum + byteLength, 8);
  return Buffer.concat([words([length]), Buffer.from(type), ...content]);
};
const table = (type: string, ...values: readonly number[]) => box(type, words(values));

/** An MP4 of 13 kB whose index announces four billion frames and takes zero bits for the size of each. */
export function endlessVideo(): Buffer {
  const file = fixture('faststart.mp4');
  const sizes = file.indexOf('stsz');
  file.write('stz2', sizes);
  file.writeUInt32BE(0xffffffff, sizes + 12);
  return file;
}

/** An MP4 in fragments of 120 bytes, each of which announces this many frames of no size. */
export function fragmentedVideo(fragments: number, frames: number): Buffer {
  const file = fixture('fragmented.mp4');
  const given = 0x20000 | 0x8 | 0x10 | 0x20;
  const all = Array.from({ length: fragments }, (_, index) => {
    const header = table('tfhd', given, 1, 1, 0, index > 0 ? 0x10000 : 0);
    const track = box('traf', header, table('tfdt', 0, index * frames), table('trun', 1, frames, 8));
    return [box('moof', table('mfhd', 0, index + 1), track), table('mdat', 0, 0)];
  });
  return Buffer.concat([file.subarray(0, file.indexOf('moof') - 4), ...all.flat()]);
}

/** An honest MP4 with the index of so many frames, which differ in size and are stored in another order than shown. */
export function longVideo(frames: number): Buffer {
  const each = Array.from({ length: frames }, (_, index) => index);
  const tables = new Map([
    ['stts', table('stts', 0, 1, frames, 512)],
    ['stsc', table('stsc', 0, 1, 1, 30, 1)],
    ['stsz', box('stsz', words([0, 0, frames]), words(each.map((index) => 3_000 + ((index * 7_919) % 9_000))))],
    [
      'ctts',
      box('ctts', words([0, frames]), words(each.flatMap((index) => [1, [1_024, 2_560, 1_024, 0][index % 4]!]))),
    ],
    ['stco', box('stco', words([0, frames / 30]), words(each.filter((index) => index % 30 === 0)))],
  ]);
  return withTables(fixture('faststart.mp4'), tables);
}

/** Replaces boxes of the first track, however deep they are. */
function withTables(file: Buffer, tables: Map<string, Buffer>): Buffer {
  const made: Buffer[] = [];
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    const whole = file.subarray(at, at + file.readUInt32BE(at));
    const type = whole.toString('latin1', 4, 8);
    const isContainer = ['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(type);
    made.push(tables.get(type) ?? (isContainer ? box(type, withTables(whole.subarray(8), tables)) : whole));
    tables.delete(type);
  }
  return Buffer.concat(made);
}

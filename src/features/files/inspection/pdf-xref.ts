import { setImmediate } from 'node:timers/promises';
import type { Bytes } from './bytes.ts';
import { inflated, readStream, type StreamBudget } from './pdf-stream.ts';

export type Place = { offset: number } | { inStream: number };

/** One cross-reference table or stream. An edited document has several, newest first. */
export interface Section {
  readonly dictionary: string;
  find(number: number): Promise<Place | null>;
}

const maxSections = 64;
const maxSubsections = 1_000;

export async function readSections(bytes: Bytes, start: number, budget: StreamBudget): Promise<Section[]> {
  const sections: Section[] = [];
  const ahead = [start];
  const seen = new Set<number>();
  while (ahead.length > 0 && sections.length < maxSections) {
    const offset = ahead.shift()!;
    if (seen.has(offset) || offset >= bytes.size) continue;
    seen.add(offset);
    const section = (await readTable(bytes, offset)) ?? (await readXrefStream(bytes, offset, budget));
    if (!section) continue;
    sections.push(section);
    for (const key of ['XRefStm', 'Prev']) {
      const next = section.dictionary.match(new RegExp(`/${key}\\s+(\\d{1,15})`))?.[1];
      if (next) ahead.push(Number(next));
    }
  }
  return sections;
}

/** Each line of a table has 20 bytes, so the line of an object is found without reading the others. */
async function readTable(bytes: Bytes, offset: number): Promise<Section | null> {
  const text = async (at: number, length: number) => Buffer.from(await bytes.read(at, at + length)).toString('latin1');
  const opening = (await text(offset, 32)).match(/^\s{0,8}xref\s+/)?.[0];
  if (!opening) return null;
  const parts: { first: number; count: number; at: number }[] = [];
  let at = offset + opening.length;
  for (; parts.length < maxSubsections; ) {
    const header = (await text(at, 64)).match(/^\s{0,8}(\d{1,10})\s+(\d{1,10})\s*?(\r\n|\n|\r)/);
    if (!header) break;
    const part = { first: Number(header[1]), count: Number(header[2]), at: at + header[0].length };
    parts.push(part);
    at = part.at + part.count * 20;
  }
  const dictionary = (await text(at, 8_192)).match(/^\s{0,8}trailer([\s\S]*?)(startxref|$)/)?.[1];
  if (!dictionary) return null;
  return {
    dictionary,
    async find(number) {
      const part = parts.find(({ first, count }) => number >= first && number < first + count);
      if (!part) return null;
      const line = await text(part.at + (number - part.first) * 20, 20);
      const position = line.match(/^(\d{10}) \d{5} n/)?.[1];
      return position ? { offset: Number(position) } : null;
    },
  };
}

async function readXrefStream(bytes: Bytes, offset: number, budget: StreamBudget): Promise<Section | null> {
  const stream = await readStream(bytes, offset, async () => Number.NaN, budget);
  if (!stream || !/\/Type\s*\/XRef\b/.test(stream.dictionary)) return null;
  const { dictionary } = stream;
  const widths = numbersOf(dictionary, 'W');
  const [kindWidth, placeWidth, restWidth] = widths ?? [];
  if (kindWidth === undefined || !placeWidth || restWidth === undefined) return null;
  const width = kindWidth + placeWidth + restWidth;
  if (width > 24) return null;
  const content = await inflated(stream, budget);
  if (!content) return null;
  const rows = await unpredicted(content, width, Number(dictionary.match(/\/Predictor\s+(\d+)/)?.[1] ?? 1));
  if (!rows) return null;
  const ranges = numbersOf(dictionary, 'Index') ?? [0, Math.floor(rows.length / width)];
  return {
    dictionary,
    async find(number) {
      const row = rowOf(ranges, number);
      const at = row * width;
      if (row < 0 || at + width > rows.length) return null;
      const kind = kindWidth === 0 ? 1 : bigEndian(rows, at, kindWidth);
      const place = bigEndian(rows, at + kindWidth, placeWidth);
      return kind === 1 ? { offset: place } : kind === 2 ? { inStream: place } : null;
    },
  };
}

function numbersOf(dictionary: string, key: string): number[] | null {
  const list = dictionary.match(new RegExp(`/${key}\\s*\\[([\\d\\s]*)\\]`))?.[1];
  return list === undefined ? null : list.trim().split(/\s+/).map(Number);
}

function rowOf(ranges: number[], number: number): number {
  let before = 0;
  for (let pair = 0; pair + 1 < ranges.length; pair += 2) {
    const [first, count] = [ranges[pair]!, ranges[pair + 1]!];
    if (number >= first && number < first + count) return before + number - first;
    before += count;
  }
  return -1;
}

const rowsPerTurn = 50_000;

/** PNG's "none", "left" and "up" filters, which PDF writers use here. Null for any other. */
async function unpredicted(content: Buffer, width: number, predictor: number): Promise<Buffer | null> {
  if (predictor === 1) return content;
  if (predictor < 10) return null;
  const count = Math.floor(content.length / (width + 1));
  const rows = Buffer.alloc(count * width);
  for (let row = 0; row < count; row += 1) {
    if (row % rowsPerTurn === rowsPerTurn - 1) await setImmediate();
    const filter = content[row * (width + 1)];
    if (filter === undefined || filter > 2) return null;
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column;
      const left = filter === 1 && column > 0 ? rows[at - 1]! : 0;
      const up = filter === 2 && row > 0 ? rows[at - width]! : 0;
      rows[at] = content[row * (width + 1) + 1 + column]! + left + up;
    }
  }
  return rows;
}

function bigEndian(bytes: Buffer, at: number, width: number): number {
  let value = 0;
  for (const byte of bytes.subarray(at, at + width)) value = value * 256 + byte;
  return value;
}

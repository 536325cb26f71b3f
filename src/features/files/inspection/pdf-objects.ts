import type { Bytes } from './bytes.ts';
import { inflated, readStream, streamBudget } from './pdf-stream.ts';
import { type Place, readSections, type Section } from './pdf-xref.ts';

/** The objects of a PDF by number, read one at a time. */
export interface PdfObjects {
  readonly root: number;
  readonly encrypted: boolean;
  /** The text of an object. Null if it is missing, unreadable or larger than `maxObjectSize`. */
  text(number: number): Promise<string | null>;
}

const maxObjectSize = 262_144;
/** The numbers and offsets of 5,000 objects in one stream. Most programs pack 100 or 200. */
const maxIndexSize = 65_536;

export async function openObjects(bytes: Bytes, start: number): Promise<PdfObjects | null> {
  const budget = streamBudget();
  const sections = await readSections(bytes, start, budget);
  const trailer = sections.map((section) => section.dictionary).join(' ');
  const root = trailer.match(/\/Root\s+(\d+)\s+\d+\s+R/)?.[1];
  if (!root) return null;
  const encrypted = /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(trailer);
  return { root: Number(root), encrypted, text: (number) => textOf(number) };

  async function textOf(number: number): Promise<string | null> {
    const place = await placeOf(sections, number);
    if (!place) return null;
    if ('offset' in place) return objectAt(place.offset, number);
    // The streams of an encrypted document are also encrypted.
    return encrypted ? null : packedObject(place.inStream, number);
  }

  async function objectAt(offset: number, number: number): Promise<string | null> {
    const text = Buffer.from(await bytes.read(offset, offset + maxObjectSize)).toString('latin1');
    const end = text.indexOf('endobj');
    const isRight = new RegExp(`^\\s{0,8}${number}\\s+\\d+\\s+obj\\b`).test(text);
    return isRight && end > 0 ? text.slice(0, end) : null;
  }

  async function numberAt(reference: number): Promise<number> {
    const at = await placeOf(sections, reference);
    const object = at && 'offset' in at ? await objectAt(at.offset, reference) : null;
    return Number(object?.match(/obj\s+(\d+)/)?.[1] ?? Number.NaN);
  }

  async function packedObject(streamNumber: number, number: number): Promise<string | null> {
    const place = await placeOf(sections, streamNumber);
    if (!place || !('offset' in place)) return null;
    const stream = await readStream(bytes, place.offset, numberAt, budget);
    const content = stream && (await inflated(stream, budget));
    const first = Number(stream?.dictionary.match(/\/First\s+(\d+)/)?.[1]);
    if (!content || !(first <= Math.min(content.length, maxIndexSize))) return null;
    const pairs = content.toString('latin1', 0, first).trim().split(/\s+/).map(Number);
    const index = pairs.findIndex((value, position) => position % 2 === 0 && value === number);
    if (index < 0) return null;
    const from = first + (pairs[index + 1] ?? Number.NaN);
    const to = index + 3 < pairs.length ? first + pairs[index + 3]! : content.length;
    return to - from <= maxObjectSize ? content.toString('latin1', from, to) : null;
  }
}

/** The newest section that contains the object wins. */
async function placeOf(sections: Section[], number: number): Promise<Place | null> {
  for (const section of sections) {
    const place = await section.find(number);
    if (place) return place;
  }
  return null;
}

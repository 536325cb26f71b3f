import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Bytes } from './bytes.ts';

export interface PdfStream {
  readonly dictionary: string;
  readonly content: Buffer;
}

const inflateOnThread = promisify(inflate);

/** How many bytes of streams may still be read and inflated for a document. */
export interface StreamBudget {
  left: number;
}

/** The cross-reference stream of a million objects has 7 MB, and all its rows are kept. */
export const streamBudget = (): StreamBudget => ({ left: 8_388_608 });

/** The stream object at an offset. `resolve` returns the number behind a reference, because a length can be one. */
export async function readStream(
  bytes: Bytes,
  offset: number,
  resolve: (reference: number) => Promise<number>,
  budget: StreamBudget,
): Promise<PdfStream | null> {
  const head = Buffer.from(await bytes.read(offset, offset + 8_192)).toString('latin1');
  const start = head.match(/^\s{0,8}\d+\s+\d+\s+obj\b[\s\S]*?\bstream(\r\n|\n|\r)/)?.[0];
  const [, length, reference] = start?.match(/\/Length\s+(\d{1,10})\b(\s+\d+\s+R)?/) ?? [];
  if (!start || !length) return null;
  const size = reference ? await resolve(Number(length)) : Number(length);
  if (!(size <= budget.left)) return null;
  budget.left -= size;
  const from = offset + start.length;
  return { dictionary: start, content: Buffer.from(await bytes.read(from, from + size)) };
}

/** Inflates off the event loop, within the budget. Null for other filters and for damaged content. */
export async function inflated({ dictionary, content }: PdfStream, budget: StreamBudget): Promise<Buffer | null> {
  const filter = dictionary.match(/\/Filter\s*(\[[^\]]*\]|\/\w+)/)?.[1];
  if (!filter) return content;
  if (filter.replace(/[[\]\s]/g, '') !== '/FlateDecode') return null;
  if (budget.left === 0) return null;
  try {
    const inflated = await inflateOnThread(content, { maxOutputLength: budget.left });
    budget.left -= inflated.length;
    return inflated;
  } catch {
    // How much was inflated before the failure is unknown.
    budget.left = 0;
    return null;
  }
}

import { type Bytes, type MediaSource, OurFailure, openBytes } from './bytes.ts';
import { detectType } from './detect-type.ts';
import { inspectImage } from './image.ts';
import { type Inspection, InspectionError } from './inspection.ts';
import { inspectPdf } from './pdf.ts';
import { createSlots } from './slots.ts';
import { inspectVideo } from './video.ts';

export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** For the inspection itself; waiting for a place does not count. */
  readonly timeoutMs?: number;
  /** How many files this process inspects at once. */
  readonly atOnce?: number;
  /** How long to wait for a place before PROBE_BUSY. */
  readonly waitMs?: number;
  readonly maxPixels?: number;
  readonly maxImageBytes?: number;
}

export type Limits = Required<Omit<InspectOptions, 'signal'>>;

const defaults: Limits = {
  timeoutMs: 15_000,
  atOnce: 4,
  waitMs: 2_000,
  // The largest phones take 108 megapixels; LinkedIn's own gate of 36,152,320 is a matter of its limits.
  maxPixels: 120_000_000,
  // The largest image any network takes (LinkedIn).
  maxImageBytes: 52_428_800,
};

const slots = createSlots();

/** Says what a stored file is, from its bytes alone. Reads only what it needs. */
export async function inspect(source: MediaSource, options: InspectOptions = {}): Promise<Inspection> {
  const limits = { ...defaults, ...options };
  using place = await slots.enter(limits.atOnce, AbortSignal.timeout(limits.waitMs));
  if (!place) throw new InspectionError('PROBE_BUSY', 'Too many files are being checked. Try again in a few seconds.');
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), ...(options.signal ? [options.signal] : [])]);
  try {
    return await inspectBytes(openBytes(source, signal), limits, signal);
  } catch (error) {
    throw explain(error, signal);
  }
}

async function inspectBytes(bytes: Bytes, limits: Limits, signal: AbortSignal): Promise<Inspection> {
  const type = await detectType(bytes);
  if (type.kind === 'image') return inspectImage(bytes, type, limits, signal);
  if (type.kind === 'video') return inspectVideo(bytes, type, signal);
  return inspectPdf(bytes, type);
}

/** A parser that stumbles has met a damaged file: whatever it threw, the file is refused. */
function explain(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof InspectionError) return error;
  if (signal.aborted) {
    return new InspectionError('PROBE_TIMEOUT', 'Checking the file took too long.', { cause: error });
  }
  if (error instanceof OurFailure) return error.cause;
  return new InspectionError('PROBE_FAILED', 'The file is damaged and cannot be read.', { cause: error });
}

import { type Bytes, InternalError, type MediaSource, openBytes } from './bytes.ts';
import { detectType } from './detect-type.ts';
import { inspectImage } from './image.ts';
import { type Inspection, InspectionError } from './inspection.ts';
import { inspectPdf } from './pdf.ts';
import { createSemaphore } from './semaphore.ts';
import { inspectVideo } from './video.ts';

export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** For the inspection itself, without the wait for a place. */
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
  // Phones take images of up to 108 megapixels. Lower limits of platforms are checked when a post is validated.
  maxPixels: 120_000_000,
  // The largest image that any platform accepts (LinkedIn).
  maxImageBytes: 52_428_800,
};

const semaphore = createSemaphore();

/** Detects type and metadata of a stored file from its bytes, and reads only as many as it needs. */
export async function inspect(source: MediaSource, options: InspectOptions = {}): Promise<Inspection> {
  const limits = { ...defaults, ...options };
  using place = await semaphore.acquire(limits.atOnce, AbortSignal.timeout(limits.waitMs));
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

/** Any error of a parser means that the file is damaged, so the file is refused. */
function explain(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof InspectionError) return error;
  if (signal.aborted) {
    return new InspectionError('PROBE_TIMEOUT', 'Checking the file took too long.', { cause: error });
  }
  if (error instanceof InternalError) return error.cause;
  return new InspectionError('PROBE_FAILED', 'The file is damaged and cannot be read.', { cause: error });
}

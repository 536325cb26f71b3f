import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { type Bytes, InternalError, type MediaSource, openBytes } from './bytes.ts';
import { detectType } from './detect-type.ts';
import { type ImageLimits, inspectImage } from './image.ts';
import { busy, type Inspection, InspectionError } from './inspection.ts';
import { inspectPdf } from './pdf.ts';
import { inspectVideo } from './video.ts';

export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** For the inspection itself, without the wait for a place. */
  readonly timeoutMs?: number;
  /** How long the owner's other files may occupy their share of the places before PROBE_BUSY. */
  readonly waitMs?: number;
  readonly maxImageBytes?: number;
}

type Limits = Required<Omit<InspectOptions, 'signal'>>;

const defaults: Limits = {
  timeoutMs: 15_000,
  waitMs: 5_000,
  // The largest image that any platform accepts (LinkedIn).
  maxImageBytes: 52_428_800,
};

/** Files inspected concurrently by this process, and per user. */
const turns = createFairTurns({ places: 4, perOwner: 2 });

/** Detects type and metadata of a stored file from its bytes. Reads no more than necessary. */
export async function inspect(source: MediaSource, options: InspectOptions = {}): Promise<Inspection> {
  const limits = { ...defaults, ...options };
  using place = await turns.acquire(source.owner, limits.waitMs);
  if (!place) throw busy();
  const signal = AbortSignal.any([AbortSignal.timeout(limits.timeoutMs), ...(options.signal ? [options.signal] : [])]);
  try {
    return await inspectBytes(openBytes(source, signal), { ...limits, owner: source.owner }, signal);
  } catch (error) {
    throw explain(error, signal);
  }
}

async function inspectBytes(bytes: Bytes, limits: ImageLimits, signal: AbortSignal): Promise<Inspection> {
  const type = await detectType(bytes);
  if (type.kind === 'image') return inspectImage(bytes, type, limits, signal);
  if (type.kind === 'video') return inspectVideo(bytes, type, signal);
  return inspectPdf(bytes, type);
}

/** Any parser error means that the file is damaged, so the file is rejected. */
function explain(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof InspectionError) return error;
  if (signal.aborted) {
    return new InspectionError('PROBE_TIMEOUT', 'Checking the file took too long.', { cause: error });
  }
  if (error instanceof InternalError) return error.cause;
  return new InspectionError('PROBE_FAILED', 'The file is damaged and cannot be read.', { cause: error });
}

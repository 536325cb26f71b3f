import { createFairTurns, type FairTurns } from '../../../foundation/lib/fair-turns.ts';
import { InternalError, type MediaSource, openBytes } from './bytes.ts';
import { detectType } from './detect-type.ts';
import { inspectImage } from './image.ts';
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

const defaults: Required<Omit<InspectOptions, 'signal'>> = {
  timeoutMs: 15_000,
  waitMs: 5_000,
  // The largest image that any platform accepts (LinkedIn).
  maxImageBytes: 52_428_800,
};

/** Files inspected concurrently by this process, and per owner. */
const turns = createFairTurns({ places: 4, perOwner: 2 });
/** Reading the index of a video may take seconds, so the same time must pass before the next video of the owner. */
const videoTurns = createFairTurns({ places: 2, perOwner: 1 });

/** Detects type and metadata of a stored file from its bytes. Reads no more than necessary. */
export async function inspect(source: MediaSource, options: InspectOptions = {}): Promise<Inspection> {
  const { timeoutMs, waitMs, maxImageBytes } = { ...defaults, ...options };
  const { owner } = source;
  const timeout = new AbortController();
  const signal = AbortSignal.any([timeout.signal, ...(options.signal ? [options.signal] : [])]);
  const bytes = openBytes(source, signal);

  async function inTurn<T>(of: FairTurns, work: () => Promise<T>): Promise<T> {
    using turn = await of.acquire(owner, waitMs);
    if (!turn) throw busy();
    const began = performance.now();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      return await work();
    } catch (error) {
      throw explain(error, signal);
    } finally {
      clearTimeout(timer);
      if (of === videoTurns) turn.restMs = performance.now() - began;
    }
  }

  const found = await inTurn(turns, async () => {
    const type = await detectType(bytes);
    if (type.kind === 'image') return inspectImage(bytes, type, { owner, waitMs, maxImageBytes }, signal);
    return type.kind === 'video' ? { ...type, kind: type.kind } : inspectPdf(bytes, type);
  });
  return found.kind === 'video' ? inTurn(videoTurns, () => inspectVideo(bytes, found, signal)) : found;
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

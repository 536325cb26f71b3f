import { Worker } from 'node:worker_threads';
import { readAvi } from './avi.ts';
import { beforeAbort } from './before-abort.ts';
import { type Bytes, OurFailure } from './bytes.ts';
import { type FileType, InspectionError, type VideoInspection } from './inspection.ts';
import { refuseTruncated } from './truncation.ts';

/** What a container tells; numbers it does not know are null. */
export interface VideoFacts {
  width: number;
  height: number;
  durationSeconds: number | null;
  frameRate: number | null;
  codecName: string | null;
}

/** Between the thread and us: it asks for ranges, we send bytes, or null once it has had enough of them. */
export type FromThread = { read: [start: number, end: number] } | { facts: VideoFacts } | { refused: string };
export type ToThread = Uint8Array | null;

export async function inspectVideo(bytes: Bytes, type: FileType, signal: AbortSignal): Promise<VideoInspection> {
  await refuseTruncated(bytes, type.format);
  const facts = type.format === 'avi' ? await readAvi(bytes) : await readOnThread(bytes, signal);
  const { durationSeconds } = facts;
  const bitRate = durationSeconds ? Math.round((bytes.size * 8) / durationSeconds) : null;
  return { ...type, ...facts, kind: 'video', size: bytes.size, bitRate };
}

const program = new URL('./video-thread.ts', import.meta.url);

/** Twelve hours at 60 frames a second have an index of about 40 MB. */
const maxBytesRead = 67_108_864;

/**
 * mediabunny builds the frame table a file announces: one changed number in a 12 kB MP4 held the event loop for 16 s,
 * another ended the process for lack of memory (measured with 1.61.0). On a thread it can only end itself.
 */
async function readOnThread(bytes: Bytes, signal: AbortSignal): Promise<VideoFacts> {
  const thread = new Worker(program, {
    workerData: { size: bytes.size },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  try {
    return await beforeAbort(signal, () => converse(thread, bytes));
  } finally {
    await thread.terminate();
  }
}

function converse(thread: Worker, bytes: Bytes): Promise<VideoFacts> {
  const { promise, resolve, reject } = Promise.withResolvers<VideoFacts>();
  const before = bytes.bytesRead;
  let running = false;

  thread.on('message', async (message: FromThread) => {
    running = true;
    if ('facts' in message) return resolve(message.facts);
    if ('refused' in message) return reject(new InspectionError('PROBE_FAILED', message.refused));
    const [start, end] = message.read;
    if (bytes.bytesRead - before + end - start > maxBytesRead) return thread.postMessage(null satisfies ToThread);
    try {
      thread.postMessage((await bytes.read(start, end)) satisfies ToThread);
    } catch (error) {
      reject(error);
    }
  });
  thread.on('error', (cause) => {
    if (!running) return reject(new OurFailure('our side', { cause }));
    reject(new InspectionError('PROBE_FAILED', 'The video is damaged: its index makes no sense.', { cause }));
  });
  return promise;
}

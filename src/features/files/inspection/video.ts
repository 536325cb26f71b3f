import { Worker } from 'node:worker_threads';
import { readAvi } from './avi.ts';
import { type Bytes, InternalError, raceAbort } from './bytes.ts';
import { type FileType, InspectionError, type VideoInspection, type VideoMetadata } from './inspection.ts';
import { refuseTruncated } from './truncation.ts';

/** The thread requests byte ranges. The reply is the bytes, or null if it has read too many. */
export type FromThread = { read: [start: number, end: number] } | { metadata: VideoMetadata } | { refused: string };
export type ToThread = Uint8Array | null;

export async function inspectVideo(bytes: Bytes, type: FileType, signal: AbortSignal): Promise<VideoInspection> {
  await refuseTruncated(bytes, type.format);
  const metadata = type.format === 'avi' ? await readAvi(bytes) : await readOnThread(bytes, signal);
  const { durationSeconds } = metadata;
  const bitRate = durationSeconds ? Math.round((bytes.size * 8) / durationSeconds) : null;
  return { ...type, ...metadata, kind: 'video', size: bytes.size, bitRate };
}

const program = new URL('./video-thread.ts', import.meta.url);

/** The index of twelve hours at 60 frames per second has about 40 MB. */
const maxBytesRead = 67_108_864;

/**
 * mediabunny builds the frame table that a file announces: one changed number in a 12 kB MP4 blocked the event loop
 * for 16 s, another made the process run out of memory (measured with 1.61.0). On a thread, only the thread can fail.
 */
async function readOnThread(bytes: Bytes, signal: AbortSignal): Promise<VideoMetadata> {
  const thread = new Worker(program, {
    workerData: { size: bytes.size },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  try {
    return await raceAbort(signal, () => exchange(thread, bytes));
  } finally {
    await thread.terminate();
  }
}

function exchange(thread: Worker, bytes: Bytes): Promise<VideoMetadata> {
  const { promise, resolve, reject } = Promise.withResolvers<VideoMetadata>();
  const before = bytes.bytesRead;
  let running = false;

  thread.on('message', async (message: FromThread) => {
    running = true;
    if ('metadata' in message) return resolve(message.metadata);
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
    if (!running) return reject(new InternalError('internal', { cause }));
    reject(new InspectionError('PROBE_FAILED', 'The video is damaged: its index is invalid.', { cause }));
  });
  return promise;
}

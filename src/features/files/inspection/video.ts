import { JobProcessEnded, runVideoJob } from '../imaging/run-job.ts';
import { readAvi } from './avi.ts';
import { type Bytes, wrapInternalErrors } from './bytes.ts';
import { type FileType, InspectionError, type VideoInspection, type VideoMetadata } from './inspection.ts';
import { refuseTruncated } from './truncation.ts';

export async function inspectVideo(bytes: Bytes, type: FileType, signal: AbortSignal): Promise<VideoInspection> {
  await refuseTruncated(bytes, type.format);
  const metadata = type.format === 'avi' ? await readAvi(bytes) : await readInProcess(bytes, signal);
  const { durationSeconds } = metadata;
  const bitRate = durationSeconds ? Math.round((bytes.size * 8) / durationSeconds) : null;
  return { ...type, ...metadata, kind: 'video', size: bytes.size, bitRate };
}

/** The index of twelve hours at 60 frames per second has about 40 MB. */
const maxBytesRead = 67_108_864;

/**
 * mediabunny builds the frame table that a file announces: one changed number in an MP4 of 2 kB takes gigabytes, and
 * others take minutes. Three hours at 60 frames per second take 0.6 s and 300 MB, eight hours 1.2 s and 500 MB
 * (measured with 1.61.0).
 */
const limits = { maxMemoryBytes: 603_979_776, maxCpuMs: 4_000 };

async function readInProcess(bytes: Bytes, signal: AbortSignal): Promise<VideoMetadata> {
  const before = bytes.bytesRead;
  let isStarted = false;
  const read = async (start: number, end: number) => {
    isStarted = true;
    if (bytes.bytesRead - before + end - start > maxBytesRead) throw refusal('The index of the video is too large.');
    return bytes.read(start, end);
  };
  const found = await wrapInternalErrors(() =>
    runVideoJob(bytes.size, read, { ...limits, signal }).catch((error: unknown) => {
      if (!isStarted || !(error instanceof JobProcessEnded)) throw error;
      return { refused: tooDear };
    }),
  );
  if ('refused' in found) throw refusal(found.refused);
  return found;
}

const tooDear = 'The index of the video is damaged, or takes too much time or memory to read. Export it again.';

const refusal = (message: string) => new InspectionError('PROBE_FAILED', message);

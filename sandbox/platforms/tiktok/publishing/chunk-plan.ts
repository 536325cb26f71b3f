import type { JsonObject } from '../../../http/json.ts';
import { refuse } from '../errors.ts';

export const maxVideoBytes = 4 * 1024 ** 3;
/** The vendor states both limits in "MB" without a definition. Sizes from 5 MiB to 64 MB satisfy every reading. */
const minChunkBytes = 5 * 1024 * 1024;
const maxChunkBytes = 64_000_000;
const maxChunks = 1000;

/** The last chunk also contains the remainder. */
export function readChunkPlan({ video_size, chunk_size, total_chunk_count }: JsonObject) {
  const size = wholeNumber(video_size, 'The video size is invalid');
  const chunkSize = wholeNumber(chunk_size, 'The chunk size is invalid');
  const chunkCount = wholeNumber(total_chunk_count, 'The total chunk count is invalid');
  if (size > maxVideoBytes) refuse('invalid_param', 'The video size is invalid');
  const isWhole = chunkSize === size && size <= maxChunkBytes;
  if (!isWhole && (chunkSize > size || chunkSize < minChunkBytes || chunkSize > maxChunkBytes)) {
    refuse('invalid_param', 'The chunk size is invalid');
  }
  const isTooFew = size > maxChunkBytes && chunkCount < 2;
  if (chunkCount !== Math.floor(size / chunkSize) || chunkCount > maxChunks || isTooFew) {
    refuse('invalid_param', 'The total chunk count is invalid');
  }
  return { size, chunkSize, chunkCount };
}

function wholeNumber(value: unknown, message: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) refuse('invalid_param', message);
  return value;
}

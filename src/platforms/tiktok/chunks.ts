/** TikTok accepts chunks of 5 to 64 MB and a last one of up to 128 MB. Small chunks are quick to resend. */
const chunkBytes = 10_000_000;

/** How a file of this size is split. The remainder belongs to the last chunk. */
export function chunksOf(bytes: number) {
  const count = Math.max(1, Math.floor(bytes / chunkBytes));
  const size = count === 1 ? bytes : chunkBytes;
  return {
    size,
    count,
    /** The end of the chunk that contains this byte. */
    endOf: (start: number) => (start >= (count - 1) * size ? bytes : (Math.floor(start / size) + 1) * size),
  };
}

/**
 * Every chunk of a body takes time, however small: a megabyte in one-byte chunks would block the event loop for
 * seconds. A network packet has more than 500 bytes, so a slow connection does not split a body like this.
 */
export const tinyChunks = { free: 2_000, minAverageBytes: 64 } as const;

/** Takes the length of each chunk of a body. True if there are too many and they are tiny on average. */
export function tinyChunkCounter(): (bytes: number) => boolean {
  let [chunks, received] = [0, 0];
  return (bytes) => {
    chunks += 1;
    received += bytes;
    return chunks > tinyChunks.free && received < chunks * tinyChunks.minAverageBytes;
  };
}

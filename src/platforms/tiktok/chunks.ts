/** TikTok takes pieces of 5 to 64 MB, and a last one of up to 128. Small ones are quickly sent again. */
const chunkBytes = 10_000_000;

/** How a file of this size is announced, and cut: what is left over goes with the last piece. */
export function chunksOf(bytes: number) {
  const count = Math.max(1, Math.floor(bytes / chunkBytes));
  const size = count === 1 ? bytes : chunkBytes;
  return {
    size,
    count,
    /** Where the piece ends that this byte is in. */
    endOf: (start: number) => (start >= (count - 1) * size ? bytes : (Math.floor(start / size) + 1) * size),
  };
}

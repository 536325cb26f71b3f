/** Small enough to take a few milliseconds, so a batch does not delay others that wait for its locks or the disk. */
export const deleteBatch = 2_000;

/** Repeats a statement that deletes or changes at most `deleteBatch` rows, until none is left or the signal aborts. */
export async function deleteInBatches(
  deleteSome: (limit: number) => Promise<{ numAffectedRows?: bigint }>,
  signal?: AbortSignal,
) {
  while (!signal?.aborted) {
    const { numAffectedRows = 0n } = await deleteSome(deleteBatch);
    if (numAffectedRows === 0n) return;
  }
}

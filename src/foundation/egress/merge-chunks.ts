/** Response chunks are merged up to this size, so downstream readers do less work per byte. */
const mergedBytes = 16 * 1024;

export interface ChunkMerger {
  add(chunk: Uint8Array): void;
  /** Passes on the rest. */
  flush(): void;
  drop(): void;
}

/** Merges chunks that arrive together. Received data is never held back to wait for more, which may take long. */
export function chunkMerger(pass: (chunk: Uint8Array) => void): ChunkMerger {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  let timer: NodeJS.Immediate | null = null;

  function drop() {
    if (timer) clearImmediate(timer);
    [chunks, bytes, timer] = [[], 0, null];
  }

  function flush() {
    const waiting = chunks;
    drop();
    if (waiting.length > 0) pass(waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting));
  }

  return {
    add(chunk) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= mergedBytes) flush();
      else timer ??= setImmediate(flush);
    },
    flush,
    drop,
  };
}

import { setTimeout as sleep } from 'node:timers/promises';

/** The process metrics in `/metrics`. */
export interface Reading {
  /** Seconds in which the loop was blocked for more than 50 ms. */
  blocked: number;
  /** Of these, seconds in which its thread was computing that long, not waiting for a processor. */
  busy: number;
  /** The time of garbage collection on its thread. */
  collectionSeconds: number;
  /**
   * Resident memory, without the free memory that V8 reserves for future garbage: under load, that is several times the
   * heap in use.
   */
  residentMb: number;
  heapMb: number;
  openFiles: number;
}

export async function readMetrics(url: string): Promise<Reading> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  const over50 = (name: string) => value(`${name}_count`) - value(`${name}_bucket{le="0.05"}`);
  const collected = text.matchAll(/^nodejs_gc_duration_seconds_sum\{.*\} (\S+)$/gm);
  const heapUsed = value('nodejs_heap_size_used_bytes');
  return {
    blocked: over50('crier_event_loop_block_seconds'),
    busy: over50('crier_event_loop_block_cpu_seconds'),
    collectionSeconds: [...collected].reduce((sum, [, seconds]) => sum + Number(seconds), 0),
    residentMb: (value('process_resident_memory_bytes') - value('nodejs_heap_size_total_bytes') + heapUsed) / 2 ** 20,
    heapMb: heapUsed / 2 ** 20,
    openFiles: value('process_open_fds'),
  };
}

/** Reads the metrics every second until it is stopped. */
export function observe(url: string, onReading: (reading: Reading) => void) {
  const stopping = new AbortController();
  const readings: Reading[] = [];
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const reading = await readMetrics(url).catch(() => null);
      if (reading) readings.push(reading);
      if (reading) onReading(reading);
      await sleep(1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    readings,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * The heap grows and shrinks between collections, and its low points show what is really retained. So memory is
 * compared at its low points: soon after the start, when everything is loaded, and at the end.
 */
export function growth(readings: readonly Reading[], of: 'residentMb' | 'heapMb' | 'openFiles') {
  const part = Math.max(1, Math.floor(readings.length / 5));
  const lowest = (some: readonly Reading[]) => Math.min(...some.map((reading) => reading[of]));
  return { early: lowest(readings.slice(part, 2 * part)), late: lowest(readings.slice(-part)) };
}

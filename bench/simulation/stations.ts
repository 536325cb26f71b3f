/** Jobs in the order of their arrival, and when each began and ended. */
export interface Served {
  starts: Float64Array;
  ends: Float64Array;
}

/**
 * A queue: jobs wait in the order of their arrival, each takes the server that is free first, and keeps it for its time.
 * Arrivals must be sorted. Exact, like a simulation event by event, because nothing that comes later changes what came before.
 */
export function serve(arrivals: Float64Array, servers: number, seconds: (job: number) => number): Served {
  const starts = new Float64Array(arrivals.length);
  const ends = new Float64Array(arrivals.length);
  const free = new Float64Array(servers);
  for (const [job, arrival] of arrivals.entries()) {
    const start = Math.max(arrival, free[0] ?? 0);
    starts[job] = start;
    ends[job] = start + seconds(job);
    replaceFirst(free, ends[job] ?? 0);
  }
  return { starts, ends };
}

/** Fixed windows of so many jobs: who finds one full waits for the next. Arrivals must be sorted; the answer is, too. */
export function admit(arrivals: Float64Array, limit: number, windowSeconds: number): Float64Array {
  let [window, used] = [Number.NEGATIVE_INFINITY, 0];
  return arrivals.map((arrival) => {
    const own = Math.floor(arrival / windowSeconds);
    if (own > window) [window, used] = [own, 0];
    if (used >= limit) [window, used] = [window + 1, 0];
    used += 1;
    return Math.max(arrival, window * windowSeconds);
  });
}

/** Keeps the smallest number first: a binary heap, whose first number is replaced. */
function replaceFirst(heap: Float64Array, value: number) {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= value) break;
    heap[place] = heap[child] ?? 0;
    place = child;
  }
  heap[place] = value;
}

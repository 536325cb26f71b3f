/** Jobs in order of arrival, with the start and end of each. */
export interface Served {
  starts: Float64Array;
  ends: Float64Array;
}

/**
 * A FIFO queue: each job takes the server that becomes free first, and occupies it for the job's duration. Arrivals
 * must be sorted. As exact as an event-by-event simulation, because later jobs never affect earlier ones.
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

/**
 * Fixed windows with a limited number of jobs: a job that finds its window full waits for the next. Arrivals must be
 * sorted; the result is sorted too.
 */
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

/** Replaces the smallest number of a binary heap, which is always first. */
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

/** Work on a long text, which may be paused wherever it yields. */
export type Pausable<T> = Generator<undefined, T, undefined>;

/** Does the work without a pause. */
export function finish<T>(work: Pausable<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * Does the work in slices, so that no text blocks the event loop. All work takes turns: in one round of the loop, together it
 * takes little more than one slice. Short work does not wait for long work.
 */
export async function inTurns<T>(work: Pausable<T>): Promise<T> {
  const shortUntil = performance.now() + shortMs;
  for (;;) {
    if (performance.now() > shortUntil && isSliceOver()) await nextTurn();
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Ends in a later round of the event loop, in which no other work has its turn. */
export async function nextRound(): Promise<void> {
  isSliceOver();
  await nextTurn();
}

/** A request takes some rounds of the loop, and in each it may wait for one slice. */
const sliceMs = 1.5;
/** An ordinary post takes less than this, several times. */
const shortMs = 0.5;
const waiting: (() => void)[] = [];
let sliceEnd: number | null = null;

function isSliceOver(): boolean {
  const now = performance.now();
  if (sliceEnd === null) {
    sliceEnd = now + sliceMs;
    setImmediate(beginRound);
  }
  return now > sliceEnd || waiting.length > 0;
}

const nextTurn = () => new Promise<void>((resolve) => waiting.push(resolve));

/** Runs once in each round of the event loop in which there is work. */
function beginRound() {
  const next = waiting.shift();
  sliceEnd = next ? performance.now() + sliceMs : null;
  if (next) setImmediate(beginRound);
  next?.();
}

/** Work on a long text that can pause wherever it yields. */
export type Pausable<T> = Generator<undefined, T, undefined>;

/** Runs the work without a pause. */
export function finish<T>(work: Pausable<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
}

/**
 * Runs the work in slices, so that no text blocks the event loop. All work takes turns: in one round of the loop, all
 * of it together takes little more than one slice. Short work does not wait for long work.
 */
export async function inTurns<T>(work: Pausable<T>): Promise<T> {
  const shortUntil = performance.now() + shortMs;
  for (;;) {
    if (performance.now() > shortUntil && isSliceOver()) await nextTurn();
    const next = work.next();
    if (next.done) return next.value;
  }
}

/** Resolves in a later round of the event loop, in which no other work has its turn. */
export async function nextRound(): Promise<void> {
  isSliceOver();
  await nextTurn();
}

/** A request takes several rounds of the loop, and may wait for one slice in each. */
const sliceMs = 1.5;
/** An ordinary post takes less than this, even several times over. */
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

/** Runs once per round of the event loop while there is work. */
function beginRound() {
  const next = waiting.shift();
  sliceEnd = next ? performance.now() + sliceMs : null;
  if (next) setImmediate(beginRound);
  next?.();
}

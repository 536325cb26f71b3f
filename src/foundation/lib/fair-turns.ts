/** Limits how many callers run concurrently, and shares the places round-robin between owners. */
export interface FairTurns {
  /**
   * Disposing the turn releases the place. Null if the owner's own work still takes up its share after `waitMs`. The
   * work of other owners never leads to null, because each of them gets one place before the owner's turn comes, unless
   * `mostMs` have passed.
   */
  acquire(owner: string, waitMs?: number, mostMs?: number): Promise<Turn | null>;
  /** How many callers of this owner are waiting for a place. */
  waiting(owner: string): number;
  /** Whether an owner waits for others to release a place. */
  isWanted(): boolean;
}

export interface Turn extends Disposable {
  /** After the release, others can take the place immediately, but the owner only after this time. Default: 0. */
  restMs: number;
}

interface Waiting {
  admit(): void;
}

/**
 * The callers of an owner. Those before `next` were admitted: removing each from a long array would shift all others.
 */
interface Line {
  callers: Waiting[];
  next: number;
}

const lengthOf = ({ callers, next }: Line) => callers.length - next;

function takeFirst(line: Line): Waiting {
  const first = line.callers[line.next]!;
  line.next += 1;
  if (line.next > lengthOf(line)) {
    line.callers.splice(0, line.next);
    line.next = 0;
  }
  return first;
}

export function createFairTurns({ places, perOwner }: { places: number; perOwner: number }): FairTurns {
  const running = new Map<string, number>();
  /** The waiting callers: owners in the order of their next turns, each owner's callers in order of arrival. */
  const lines = new Map<string, Line>();
  let taken = 0;

  const mayRun = (owner: string) => (running.get(owner) ?? 0) < perOwner;

  function admitNext() {
    while (taken < places) {
      const next = lines.entries().find(([owner]) => mayRun(owner));
      if (!next) return;
      const [owner, line] = next;
      const first = takeFirst(line);
      // The owner moves to the end of the round.
      lines.delete(owner);
      if (lengthOf(line) > 0) lines.set(owner, line);
      first.admit();
    }
  }

  function place(owner: string): Turn {
    taken += 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
    let isReleased = false;
    return {
      restMs: 0,
      [Symbol.dispose]() {
        if (isReleased) return;
        isReleased = true;
        taken -= 1;
        if (this.restMs > 0) setTimeout(endRest, this.restMs, owner).unref();
        else endTurn(owner);
        admitNext();
      },
    };
  }

  function endTurn(owner: string) {
    const left = running.get(owner)! - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
  }

  function endRest(owner: string) {
    endTurn(owner);
    admitNext();
  }

  function leave(owner: string, waiting: Waiting) {
    const line = lines.get(owner)!;
    line.callers.splice(line.callers.indexOf(waiting, line.next), 1);
    if (lengthOf(line) === 0) lines.delete(owner);
  }

  return {
    waiting: (owner) => {
      const line = lines.get(owner);
      return line ? lengthOf(line) : 0;
    },
    isWanted: () => lines.keys().some(mayRun),
    acquire(owner, waitMs, mostMs) {
      const { promise, resolve } = Promise.withResolvers<Turn | null>();
      const waiting = {
        admit() {
          clearTimeout(timer);
          clearTimeout(lastTimer);
          resolve(place(owner));
        },
      };
      const giveUp = () => {
        clearTimeout(timer);
        clearTimeout(lastTimer);
        leave(owner, waiting);
        resolve(null);
      };
      const giveUpOwnWork = () => {
        const line = lines.get(owner)!;
        const waitsForOthers = !running.has(owner) && line.callers[line.next] === waiting;
        if (!waitsForOthers) giveUp();
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUpOwnWork, waitMs);
      const lastTimer = mostMs === undefined ? undefined : setTimeout(giveUp, mostMs);
      const line = lines.get(owner);
      if (line) line.callers.push(waiting);
      else lines.set(owner, { callers: [waiting], next: 0 });
      admitNext();
      return promise;
    },
  };
}

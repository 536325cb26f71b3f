/** Limits how many callers run at once, and shares the places between owners in turn. */
export interface FairTurns {
  /**
   * Disposing releases the place. Null if the owner's own work still takes up its share after `waitMs`. The work of
   * others never leads to null, because each of them gets one place before the owner's turn comes.
   */
  acquire(owner: string, waitMs?: number): Promise<Disposable | null>;
}

interface Waiting {
  admit(): void;
}

export function createFairTurns({ places, perOwner }: { places: number; perOwner: number }): FairTurns {
  const running = new Map<string, number>();
  /** Who waits, in the order of the next turns; each owner's callers in the order in which they came. */
  const lines = new Map<string, Waiting[]>();
  let taken = 0;

  function admitNext() {
    while (taken < places) {
      const next = lines.entries().find(([owner]) => (running.get(owner) ?? 0) < perOwner);
      if (!next) return;
      const [owner, [first, ...rest]] = next;
      // The owner goes to the end of the round.
      lines.delete(owner);
      if (rest.length > 0) lines.set(owner, rest);
      first!.admit();
    }
  }

  function place(owner: string): Disposable {
    taken += 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
    let isReleased = false;
    return {
      [Symbol.dispose]() {
        if (isReleased) return;
        isReleased = true;
        taken -= 1;
        const left = running.get(owner)! - 1;
        if (left > 0) running.set(owner, left);
        else running.delete(owner);
        admitNext();
      },
    };
  }

  function leave(owner: string, waiting: Waiting) {
    const rest = lines.get(owner)!.filter((other) => other !== waiting);
    if (rest.length > 0) lines.set(owner, rest);
    else lines.delete(owner);
  }

  return {
    acquire(owner, waitMs) {
      const { promise, resolve } = Promise.withResolvers<Disposable | null>();
      const waiting = {
        admit() {
          clearTimeout(timer);
          resolve(place(owner));
        },
      };
      const giveUp = () => {
        const waitsForOthers = !running.has(owner) && lines.get(owner)?.[0] === waiting;
        if (waitsForOthers) return;
        leave(owner, waiting);
        resolve(null);
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      lines.set(owner, [...(lines.get(owner) ?? []), waiting]);
      admitNext();
      return promise;
    },
  };
}

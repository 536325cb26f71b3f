/** Limits how many callers run at once. Others wait in order, each until its own signal is aborted. */
export interface Semaphore {
  /** Disposing releases the place. Null if the signal was aborted first. */
  acquire(places: number, signal: AbortSignal): Promise<Disposable | null>;
}

export function createSemaphore(): Semaphore {
  let taken = 0;
  const line: { places: number; admit: () => void }[] = [];

  function leave() {
    taken -= 1;
    const next = line[0];
    if (!next || taken >= next.places) return;
    line.shift();
    next.admit();
  }

  function place(): Disposable {
    taken += 1;
    let left = false;
    return {
      [Symbol.dispose]() {
        if (!left) leave();
        left = true;
      },
    };
  }

  return {
    async acquire(places, signal) {
      if (taken < places && line.length === 0) return place();
      if (signal.aborted) return null;
      return new Promise((resolve) => {
        const waiting = { places, admit };
        function admit() {
          signal.removeEventListener('abort', giveUp);
          resolve(place());
        }
        function giveUp() {
          line.splice(line.indexOf(waiting), 1);
          resolve(null);
        }
        signal.addEventListener('abort', giveUp, { once: true });
        line.push(waiting);
      });
    },
  };
}

import { useEffect, useState } from 'react';
import type { Phrases } from './when.ts';

let loaded: Phrases | null = null;

/** What understands dates in words. It is large, so it is loaded once somebody types something else than an ISO date. */
export function usePhrases(date: string): Phrases | null {
  const [phrases, setPhrases] = useState(loaded);
  const isNeeded = /[^\d\s:.-]/.test(date);
  useEffect(() => {
    if (loaded || !isNeeded) return;
    void import('chrono-node/en').then(({ casual }) => {
      loaded = casual;
      setPhrases(casual);
    });
  }, [isNeeded]);
  return phrases;
}

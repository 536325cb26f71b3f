import { useEffect, useState } from 'react';
import type { Phrases } from './when.ts';

let loaded: Phrases | null = null;

/** Loads what understands dates in words, after the page is there. */
export function usePhrases(): Phrases | null {
  const [phrases, setPhrases] = useState(loaded);
  useEffect(() => {
    if (loaded) return;
    void import('chrono-node/en').then(({ casual }) => {
      loaded = casual;
      setPhrases(casual);
    });
  }, []);
  return phrases;
}

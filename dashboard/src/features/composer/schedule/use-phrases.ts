import { useEffect, useState } from 'react';
import type { Phrases } from './when.ts';

type Order = 'dayFirst' | 'monthFirst';

let loaded: Record<Order, Phrases> | null = null;

/**
 * What understands dates in words, and 5/12 as people of this locale mean it. It is large, so it is loaded when a person types
 * something else than figures.
 */
export function usePhrases(date: string, locale: string): Phrases | null {
  const [phrases, setPhrases] = useState(loaded);
  const isNeeded = /[^\d\s:.-]/.test(date);
  useEffect(() => {
    if (loaded || !isNeeded) return;
    void import('chrono-node/en').then(({ casual, GB }) => {
      loaded = { dayFirst: GB, monthFirst: casual };
      setPhrases(loaded);
    });
  }, [isNeeded]);
  return phrases?.[orderIn(locale)] ?? null;
}

function orderIn(locale: string): Order {
  const types = new Intl.DateTimeFormat(locale).formatToParts().map(({ type }) => type);
  return types.indexOf('day') < types.indexOf('month') ? 'dayFirst' : 'monthFirst';
}

import { useEffect, useState } from 'react';
import type { Phrases } from './when.ts';

type Order = 'dayFirst' | 'monthFirst';

let loaded: Record<Order, Phrases> | null = null;

/**
 * The parser for dates in words, and for 5/12 in the order of the locale. It is large, so it is loaded on the first input that isn't
 * just digits.
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

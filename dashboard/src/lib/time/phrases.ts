import { useEffect, useState } from 'react';
import { orderIn, type Phrases } from './read-date.ts';

/** The parsers for dates in words. They are large, so each is loaded when a date in its language has to be read. */
const languages: Readonly<Record<string, () => Promise<{ casual: Phrases }>>> = {
  ar: () => import('chrono-node/ar'),
  de: () => import('chrono-node/de'),
  es: () => import('chrono-node/es'),
  fi: () => import('chrono-node/fi'),
  fr: () => import('chrono-node/fr'),
  id: () => import('chrono-node/id'),
  it: () => import('chrono-node/it'),
  ja: () => import('chrono-node/ja'),
  nl: () => import('chrono-node/nl'),
  pt: () => import('chrono-node/pt'),
  ru: () => import('chrono-node/ru'),
  sv: () => import('chrono-node/sv'),
  uk: () => import('chrono-node/uk'),
  vi: () => import('chrono-node/vi'),
  zh: () => import('chrono-node/zh'),
};

/** That of the locale, then English, which everyone who reads the dashboard may write. */
export async function loadPhrases(locale: string): Promise<readonly Phrases[]> {
  const [own, { casual, GB }] = await Promise.all([
    languages[new Intl.Locale(locale).language]?.(),
    import('chrono-node/en'),
  ]);
  const english = orderIn(locale) === 'dayFirst' ? [GB, casual] : [casual];
  return [...(own ? [own.casual] : []), ...english];
}

const loaded = new Map<string, readonly Phrases[]>();

/** The parsers for these dates, once loaded. Figures alone need none. */
export function usePhrases(dates: readonly string[], locale: string): readonly Phrases[] | null {
  const [, setLoaded] = useState(0);
  const isNeeded = dates.some((date) => /\p{L}/u.test(date));
  useEffect(() => {
    if (!isNeeded || loaded.has(locale)) return;
    let isOver = false;
    void loadPhrases(locale).then((phrases) => {
      loaded.set(locale, phrases);
      if (!isOver) setLoaded((count) => count + 1);
    });
    return () => {
      isOver = true;
    };
  }, [isNeeded, locale]);
  return loaded.get(locale) ?? null;
}

/** The browser's time zones. Some browsers omit UTC. */
export function timeZones(chosen: string | null): string[] {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
  if (chosen) names.add(chosen);
  return [...names].sort();
}

/** A readable and searchable name: `America/New York`. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

const tags = [
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'de-AT',
  'de-CH',
  'el',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IN',
  'en-US',
  'es',
  'es-MX',
  'fa',
  'fi',
  'fr',
  'fr-CA',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nb',
  'nl',
  'pl',
  'pt-BR',
  'pt-PT',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh-CN',
  'zh-TW',
];

/** The chosen language and, on demand, all others: looking up their native names is slow. */
export function languages(chosen: string | null, isComplete: boolean): { value: string; label: string }[] {
  const all = new Set([...(isComplete ? tags : []), ...(chosen ? [chosen] : [])]);
  return [...all]
    .map((tag) => ({ value: tag, label: languageLabel(tag) }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

function languageLabel(tag: string): string {
  const own = nameIn(tag, tag);
  const english = nameIn(tag, 'en');
  return own === english ? english : `${english} · ${own}`;
}

const nameIn = (tag: string, language: string): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag;

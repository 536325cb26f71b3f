/** The columns of `crier import`, so that a file works for both, and a separate time. */
export const columns = ['text', 'to', 'at', 'time', 'media', 'alt', 'comment', 'thread'] as const;
export type Column = (typeof columns)[number];

export const columnLabels: Readonly<Record<Column, string>> = {
  text: 'Text',
  to: 'Channels',
  at: 'Date, or date and time',
  time: 'Time',
  media: 'Media URLs',
  alt: 'Alt text',
  comment: 'First comments',
  thread: 'Further posts of the thread',
};

/** What other programs, in some languages, call the columns. The first match wins, so that `Alt text` isn't a text. */
const names: readonly (readonly [Column, RegExp])[] = [
  ['alt', /^alt\b|alternative|description of (the )?(image|picture)|image description/],
  ['comment', /comment|kommentar|commentaire|comentario/],
  ['thread', /thread|further|replies/],
  ['media', /media|image|picture|photo|video|attachment|bild|foto|link to file|file/],
  ['at', /^at$|date|scheduled|publish|post(ing)? (at|on)|when|datum|termin|fecha|日付/],
  ['time', /time|hour|uhrzeit|heure|hora|時刻/],
  ['to', /^to$|channel|platform|network|account|profile|page|kanal|kanäle|netzwerk|canal|réseau|red\b/],
  [
    'text',
    /text|content|message|caption|post|body|tweet|copy|status|inhalt|beitrag|nachricht|texte|contenu|texto|contenido|本文/,
  ],
];

/** A guess for each column of a file, each of ours at most once. Null: not imported. */
export function guessColumns(headers: readonly string[]): (Column | null)[] {
  const plain = headers.map((header) => header.trim().toLowerCase().replaceAll(/[_-]+/g, ' '));
  const isOurs = (name: string): name is Column => columns.some((column) => column === name);
  const exact = new Set(plain.filter(isOurs));
  const taken = new Set<Column>(exact);
  return plain.map((name) => {
    if (isOurs(name)) return exact.delete(name) ? name : null;
    const [guess = null] = names.find(([column, pattern]) => pattern.test(name) && !taken.has(column)) ?? [];
    if (guess) taken.add(guess);
    return guess;
  });
}

/** Whether the user has to see what is read as what. */
export const isForeign = (headers: readonly string[]) => {
  const plain = headers.map((header) => header.trim().toLowerCase());
  const ours: readonly string[] = columns;
  return !plain.includes('text') || plain.some((name) => name !== '' && !ours.includes(name));
};

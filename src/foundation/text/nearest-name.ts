const maxLength = 64;

/**
 * The known name that a mistyped one most likely means: the same letters spelled differently (`publish_now`), a prefix
 * (`media` of `mediaUrls`), or a few typos away. Null if none is close.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const letters = lettersOf(typed);
  if (letters === '' || typed.length > maxLength) return null;
  let nearest: { name: string; distance: number } | null = null;
  for (const name of names) {
    const other = lettersOfKnown(name);
    const isBeginning = letters.length > 3 && other.startsWith(letters) && other !== letters;
    const allowed = Math.max(1, Math.floor(Math.min(letters.length, other.length) / 3));
    if (!isBeginning && Math.abs(letters.length - other.length) > allowed) continue;
    const distance = isBeginning ? 1 : editDistance(letters, other);
    if (distance <= allowed && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name ?? null;
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Bounded by the number of routes and fields. */
const known = new Map<string, string>();

function lettersOfKnown(name: string): string {
  const letters = known.get(name) ?? lettersOf(name);
  known.set(name, letters);
  return letters;
}

/** How many letters must be inserted, deleted or replaced (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = row[j]! + (to[j] === letter ? 0 : 1);
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

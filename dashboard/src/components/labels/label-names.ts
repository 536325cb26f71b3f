/**
 * What was typed or pasted, as the API stores it. A label that differs from one in use only by case is that one: people mean the
 * same, and the API would store another.
 */
export function asLabels(
  typed: readonly string[],
  known: readonly string[],
  { perPost, length }: { perPost: number; length: number },
): string[] {
  const names = typed
    .map((name) =>
      name
        .normalize('NFC')
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, length)
        .trim(),
    )
    .filter((name) => name !== '')
    .map((name) => known.find((one) => one === name) ?? known.find((one) => isSame(one, name)) ?? name);
  return [...new Set(names)].slice(0, perPost);
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

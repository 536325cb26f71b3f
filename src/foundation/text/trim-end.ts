/**
 * Removes trailing characters of the set. A regular expression such as `/[.!]+$/` retries from each character, so it
 * takes quadratic time for a run that does not end the text.
 */
export function trimEnd(text: string, characters: { has(character: string): boolean }): string {
  let end = text.length;
  while (end > 0) {
    const isPair = /[\udc00-\udfff]/.test(text[end - 1]!);
    const character = text.slice(end - (isPair ? 2 : 1), end);
    if (!characters.has(character)) break;
    end -= character.length;
  }
  return text.slice(0, end);
}

/**
 * The text without the characters of the set at its end. A regular expression such as `/[.!]+$/` tries again from each of the
 * characters, so it takes time with the square of a run that does not end the text.
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

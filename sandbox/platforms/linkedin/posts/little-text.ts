const escaped = /\\([|{}@[\]()<>#\\*_~])/g;

/** The elements of LinkedIn's "little text" format, each with its visible text. */
const elements: readonly { pattern: RegExp; shown(match: RegExpExecArray): string }[] = [
  { pattern: /[^|{}@[\]()<>#\\*_~]+/y, shown: ([text]) => text },
  { pattern: /\\([|{}@[\]()<>#\\*_~])/y, shown: ([, character = '']) => character },
  { pattern: /#(?=[\p{L}\p{N}])/uy, shown: () => '#' },
  { pattern: /\{hashtag\|\\?#\|((?:\\.|[^\\|{}])+)\}/y, shown: ([, tag = '']) => `#${unescaped(tag)}` },
  {
    pattern: /@\[((?:\\.|[^\\[\]])+)\]\(urn:li:(?:person|organization):[\w-]+\)/y,
    shown: ([, name = '']) => unescaped(name),
  },
];

/**
 * Returns the text that readers see. A reserved character that is neither escaped nor part of an element cuts off the
 * rest.
 */
export function visibleText(littleText: string): string {
  let text = '';
  let position = 0;
  while (position < littleText.length) {
    const found = elementAt(littleText, position);
    if (!found) break;
    text += found.shown;
    position = found.end;
  }
  return text;
}

function elementAt(littleText: string, position: number): { shown: string; end: number } | undefined {
  for (const { pattern, shown } of elements) {
    pattern.lastIndex = position;
    const match = pattern.exec(littleText);
    if (match) return { shown: shown(match), end: pattern.lastIndex };
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(escaped, '$1');
}

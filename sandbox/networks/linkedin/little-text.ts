const escaped = /\\([|{}@[\]()<>#\\*_~])/g;

/** The elements of the vendor's "little text", each with what people see of it. */
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

/** What people see. A reserved character that is neither escaped nor part of an element cuts off all that follows. */
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

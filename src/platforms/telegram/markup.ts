import { parseUrl } from '../../foundation/lib/parse-url.ts';
export type Entity = { offset: number; length: number } & (
  | { type: 'bold' | 'italic' | 'code' | 'blockquote' }
  | { type: 'pre'; language?: string }
  | { type: 'text_link'; url: string }
);
type Style = Entity extends infer E ? (E extends Entity ? Omit<E, 'offset' | 'length'> : never) : never;
type Span = { from: number; to: number; style: Style };
/** Styled ranges and removed markers, as positions in the source. */
interface Found {
  spans: Span[];
  cuts: { from: number; to: number }[];
}

/**
 * Converts Crier's markup to Telegram's entities: `*bold*`, `_italic_`, backticks, `[text](url)`, `> quote`. Entities
 * do not change the text itself, so nothing needs escaping and Telegram can parse every text. A marker without its
 * partner, or in the middle of a word or link, stays unchanged.
 */
export function toEntities(source: string): { text: string; entities: Entity[] } {
  const found: Found = { spans: [], cuts: [] };
  const rest = findQuotes(findBlocks(source, found), found);
  findInline(rest, 0, found);
  return render(source, found);
}

/** Replaces text that has been handled with line breaks, so that no style spans it. */
const blank = (text: string) => '\n'.repeat(text.length);

function findBlocks(source: string, found: Found): string {
  return source.replace(
    /```(?:([\w+#.-]*)\n)?([\s\S]+?)\n?```/g,
    (block, language: string | undefined, code, at: number) => {
      if (!/\S/.test(code)) return block;
      const from = at + '```'.length + (language === undefined ? 0 : language.length + '\n'.length);
      const [to, end] = [from + code.length, at + block.length];
      found.spans.push({ from, to, style: { type: 'pre', ...(language && { language }) } });
      found.cuts.push({ from: at, to: from }, { from: to, to: end });
      return blank(block);
    },
  );
}

function findQuotes(source: string, found: Found): string {
  return source.replace(/(?<![^\n])>(?: [^\n]*)?(?:\n>(?: [^\n]*)?)*(?![^\n])/g, (quote, at: number) => {
    if (!/[^>\s]/.test(quote)) return quote;
    const inside: Found = { spans: [], cuts: [] };
    for (const { index, 0: marker } of quote.matchAll(/(?<![^\n])> ?/g)) {
      found.cuts.push({ from: at + index, to: at + index + marker.length });
    }
    findInline(quote, at, inside);
    found.spans.push({ from: at, to: at + quote.length, style: { type: 'blockquote' } }, ...inside.spans);
    found.cuts.push(...inside.cuts);
    return blank(quote);
  });
}

const tokens = new RegExp(
  [
    '(?<!`)`(?<code>[^`\\n]+)`(?!`)',
    '\\[(?<label>[^\\[\\]\\n]+)\\]\\((?<url>(?:https?|tg)://(?:[^\\s()]|\\([^\\s()]*\\))+)\\)',
    // A marker after a URL, such as one that ends a bold word, is not part of it.
    '(?<link>https?://\\S*[^\\s*_])',
    '(?<gap>\\n\\s*\\n)',
    '(?<marker>[*_])',
  ].join('|'),
  'g',
);

/** `at` is the position of the text in the source. */
function findInline(text: string, at: number, found: Found): void {
  const open = new Map<string, number>();
  for (const { index, 0: token, groups = {} } of text.matchAll(tokens)) {
    const [from, to] = [at + index, at + index + token.length];
    const { code, label, url, gap, marker } = groups;
    if (gap) open.clear();
    else if (code?.trim()) enclose({ from: from + 1, to: to - 1, style: { type: 'code' } }, from, to, found);
    else if (label?.trim() && url && parseUrl(url)) {
      enclose({ from: from + 1, to: from + 1 + label.length, style: { type: 'text_link', url } }, from, to, found);
      findInline(label, from + 1, found);
    } else if (marker) findEmphasis(text, index, at, open, found);
  }
}

function findEmphasis(text: string, index: number, at: number, open: Map<string, number>, found: Found): void {
  const marker = text.charAt(index);
  const [before, after] = [text.charAt(index - 1), text.charAt(index + 1)];
  if (before === marker || after === marker) return;
  const opened = open.get(marker);
  if (opened !== undefined && /\S/.test(before) && !/[\p{L}\p{N}]/u.test(after)) {
    const style = { type: marker === '*' ? 'bold' : 'italic' } as const;
    enclose({ from: at + opened + 1, to: at + index, style }, at + opened, at + index + 1, found);
    // A style that was opened inside and not closed would extend beyond the end.
    for (const [other, since] of open) if (since >= opened) open.delete(other);
  } else if (/\S/.test(after) && !/[\p{L}\p{N}/\\@#&=%$^+]/u.test(before)) {
    open.set(marker, index);
  }
}

function enclose(span: Span, from: number, to: number, { spans, cuts }: Found): void {
  spans.push(span);
  cuts.push({ from, to: span.from }, { from: span.to, to });
}

function render(source: string, { spans, cuts }: Found): { text: string; entities: Entity[] } {
  const isCut = new Uint8Array(source.length);
  for (const { from, to } of cuts) isCut.fill(1, from, to);
  const places = [0];
  for (const cut of isCut) places.push((places.at(-1) ?? 0) + 1 - cut);
  const entities = spans.map(({ from, to, style }) => {
    const offset = places[from] ?? 0;
    return { offset, length: (places[to] ?? 0) - offset, ...style };
  });
  entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return { text: source.replace(/[\s\S]/g, (unit, at: number) => (isCut[at] ? '' : unit)), entities };
}

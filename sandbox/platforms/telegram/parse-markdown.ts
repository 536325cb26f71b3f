import { byteOffset, checkedLink, type Entity, type FormattedText, MarkupError, sorted } from './entities.ts';

/** The names that Telegram uses when an end is missing. */
type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote'
  | 'ExpandableBlockQuote';

const types: Record<Kind, string> = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
  Pre: 'pre',
  PreCode: 'pre',
  TextUrl: 'text_link',
  CustomEmoji: 'custom_emoji',
  BlockQuote: 'blockquote',
  ExpandableBlockQuote: 'expandable_blockquote',
};

/** The mark that ends each kind. A quotation ends with its last line. */
const ends: Partial<Record<Kind, string>> = {
  Bold: '*',
  Italic: '_',
  Underline: '__',
  Strikethrough: '~',
  Spoiler: '||',
  Code: '`',
  Pre: '```',
  PreCode: '```',
  TextUrl: ']',
  CustomEmoji: ']',
};

const starts: readonly [mark: string, kind: Kind][] = [
  ['__', 'Underline'],
  ['_', 'Italic'],
  ['*', 'Bold'],
  ['~', 'Strikethrough'],
  ['||', 'Spoiler'],
  ['```', 'Pre'],
  ['`', 'Code'],
  ['![', 'CustomEmoji'],
  ['[', 'TextUrl'],
];

const reserved = '_*[]()~`>#+-=|{}.!\n';

interface Open {
  readonly kind: Kind;
  readonly language: string | undefined;
  readonly offset: number;
  /** The position in the source where it starts. */
  readonly index: number;
}

/** Parses `parse_mode: MarkdownV2` and throws Telegram's errors. */
export function parseMarkdown(source: string): FormattedText {
  const open: Open[] = [];
  const entities: Entity[] = [];
  let text = '';
  let index = 0;
  let isQuoting = false;
  let isLineStart = true;

  const missingEnd = ({ kind, index: begin }: Open) =>
    new MarkupError(`Can't find end of ${kind} entity at byte offset ${byteOffset(source, begin)}`);
  const add = (kind: Kind, { offset, language }: Open, more: Partial<Entity> = {}) => {
    const length = text.length - offset;
    if (length > 0) entities.push({ type: types[kind], offset, length, ...(language && { language }), ...more });
  };
  /** `||` directly before the end makes the quotation expandable. */
  const endQuotation = (at: number): void => {
    const last = open.at(-1);
    const isExpandable = last?.kind === 'Spoiler' && last.index === at - 2;
    if (isExpandable) open.pop();
    const quotation = open.pop();
    if (quotation && quotation.kind !== 'BlockQuote') throw missingEnd(quotation);
    if (quotation) add(isExpandable ? 'ExpandableBlockQuote' : 'BlockQuote', quotation);
    isQuoting = false;
  };

  while (index < source.length) {
    const character = source.charAt(index);
    if (character === '\\' && isEscapable(source.charCodeAt(index + 1))) {
      text += source.charAt(index + 1);
      isLineStart = source.charAt(index + 1) === '\n';
      index += 2;
      continue;
    }
    const current = open.at(-1);
    const isCode = current !== undefined && ['Code', 'Pre', 'PreCode'].includes(current.kind);
    if (!(isCode ? '`' : reserved).includes(character)) {
      text += character;
      if (character !== '\r') isLineStart = false;
      index += 1;
      continue;
    }
    if (character === '\n') {
      text += '\n';
      if (isQuoting && source.charAt(index + 1) !== '>') endQuotation(index);
      isLineStart = true;
      index += 1;
      continue;
    }
    if (current && endsHere(current.kind, source, index)) {
      open.pop();
      const end = index + (ends[current.kind]?.length ?? 1);
      if (current.kind === 'TextUrl') {
        const link = readAddress(source, end);
        const url = checkedLink(link?.address ?? text.slice(current.offset));
        if (url !== undefined) add('TextUrl', current, { url });
        index = link?.end ?? end;
      } else if (current.kind === 'CustomEmoji') {
        const { id, end: after } = readEmoji(source, end);
        add('CustomEmoji', current, { custom_emoji_id: id });
        index = after;
      } else {
        add(current.kind, current);
        index = end;
      }
      continue;
    }
    if (character === '>' && isLineStart) {
      if (!isQuoting) open.push({ kind: 'BlockQuote', language: undefined, offset: text.length, index });
      isQuoting = true;
      index += 1;
      continue;
    }
    const [mark, kind] = starts.find(([candidate]) => source.startsWith(candidate, index)) ?? [];
    if (mark === undefined || kind === undefined) {
      throw new MarkupError(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
    }
    const block = kind === 'Pre' ? readBlockStart(source, index + mark.length) : undefined;
    const language = block?.language;
    open.push({ kind: language === undefined ? kind : 'PreCode', language, offset: text.length, index });
    index = block?.end ?? index + mark.length;
  }
  if (isQuoting && ['BlockQuote', 'Spoiler'].includes(open.at(-1)?.kind ?? '')) endQuotation(source.length);
  const unclosed = open.at(-1);
  if (unclosed) throw missingEnd(unclosed);
  return { text, entities: sorted(entities) };
}

function isEscapable(code: number): boolean {
  return code > 0 && code <= 126;
}

/** One of two underscores does not end italics. */
function endsHere(kind: Kind, source: string, index: number): boolean {
  const end = ends[kind];
  if (end === undefined || !source.startsWith(end, index)) return false;
  return kind !== 'Italic' || source.charAt(index + 1) !== '_';
}

/** Reads the language after three backticks and the line break that is not part of the code. */
function readBlockStart(source: string, begin: number): { language: string | undefined; end: number } {
  const [word = ''] = /^[^\s`]*/.exec(source.slice(begin)) ?? [];
  const after = begin + word.length;
  const isLanguage = word !== '' && after < source.length && source.charAt(after) !== '`';
  const end = isLanguage ? after : begin;
  const [lineBreak = ''] = /^(?:\r\n|\n\r|\n|\r)/.exec(source.slice(end)) ?? [];
  return { language: isLanguage ? word : undefined, end: end + lineBreak.length };
}

/** Reads `(address)` after `[text]`. Without it, the text is the address. */
function readAddress(source: string, begin: number): { address: string; end: number } | undefined {
  if (source.charAt(begin) !== '(') return undefined;
  let address = '';
  let index = begin + 1;
  while (index < source.length && source.charAt(index) !== ')') {
    if (source.charAt(index) === '\\' && isEscapable(source.charCodeAt(index + 1))) index += 1;
    address += source.charAt(index);
    index += 1;
  }
  if (index >= source.length) {
    throw new MarkupError(`Can't find end of a URL at byte offset ${byteOffset(source, begin + 1)}`);
  }
  return { address, end: index + 1 };
}

function readEmoji(source: string, begin: number): { id: string; end: number } {
  const link = readAddress(source, begin);
  if (!link) throw new MarkupError('The entity must contain a tg://emoji or tg://time URL');
  const id = /^tg:\/\/emoji\?id=(\d+)$/.exec(link.address)?.[1];
  if (id === undefined) throw new MarkupError('Invalid tg://emoji or tg://time URL specified');
  return { id, end: link.end };
}

import { byteOffset, checkedLink, type Entity, type FormattedText, MarkupError, sorted } from './entities.ts';

const types: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  span: 'spoiler',
  'tg-spoiler': 'spoiler',
  'tg-emoji': 'custom_emoji',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const reference = /&(?:#x([0-9a-f]*)|#([0-9]*)|([a-z]+));?/iy;

interface OpenTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly offset: number;
}

/** Parses `parse_mode: HTML` and throws Telegram's errors. */
export function parseHtml(source: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = '';
  let index = 0;
  while (index < source.length) {
    const character = source.charAt(index);
    if (character === '&') {
      const { decoded, end } = decodeReference(source, index);
      text += decoded;
      index = end;
    } else if (character !== '<') {
      text += character;
      index += 1;
    } else if (source.charAt(index + 1) === '/') {
      const { tag, end } = closeTag(source, index, open);
      const entity = text.length > tag.offset ? entityOf(tag, text, entities) : undefined;
      if (entity) entities.push(entity);
      index = end;
    } else {
      const { name, attributes, end } = readStartTag(source, index);
      open.push({ name, attributes, offset: text.length });
      index = end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw new MarkupError(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  if (!text.isWellFormed()) {
    throw new MarkupError(
      'Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units',
    );
  }
  // Only code blocks have a language.
  for (const entity of entities) if (entity.type === 'code') delete entity.language;
  return { text, entities: sorted(entities) };
}

/** Decodes numeric references and four named ones. All others stay unchanged. */
function decodeReference(source: string, index: number): { decoded: string; end: number } {
  reference.lastIndex = index;
  const [whole = '&', hexadecimal, decimal, name] = reference.exec(source) ?? [];
  if (name !== undefined) {
    const decoded = named[name];
    return decoded === undefined ? { decoded: '&', end: index + 1 } : { decoded, end: index + whole.length };
  }
  const code = hexadecimal === undefined ? Number(decimal ?? 0) : Number.parseInt(hexadecimal || '0', 16);
  const digits = whole.replace(/;$/, '');
  const isGood = code > 0 && code < 0x10ffff && digits.length < 10;
  return isGood ? { decoded: String.fromCodePoint(code), end: index + whole.length } : { decoded: '&', end: index + 1 };
}

function readStartTag(source: string, begin: number) {
  const at = byteOffset(source, begin);
  const unclosed = (name = '') => new MarkupError(`Unclosed start tag${name && ` "${name}"`} at byte offset ${at}`);
  const [, tag = ''] = /^<([^\s>]*)/.exec(source.slice(begin)) ?? [];
  const name = tag.toLowerCase();
  let index = begin + 1 + tag.length;
  if (index >= source.length) throw unclosed();
  if (!Object.hasOwn(types, name)) throw new MarkupError(`Unsupported start tag "${name}" at byte offset ${at}`);

  const attributes: Record<string, string> = Object.create(null);
  for (;;) {
    index = skipSpace(source, index);
    if (source.charAt(index) === '>') break;
    const [attribute = ''] = /^[^\s=>/"']*/.exec(source.slice(index)) ?? [];
    if (attribute === '') {
      if (index >= source.length) throw unclosed(name);
      throw new MarkupError(`Empty attribute name in the tag "${name}" at byte offset ${at}`);
    }
    index = skipSpace(source, index + attribute.length);
    if (index >= source.length) throw unclosed(name);
    if (source.charAt(index) !== '=') {
      attributes[attribute] = '';
      continue;
    }
    index = skipSpace(source, index + 1);
    if (index >= source.length) throw unclosed(name);
    const { value, end } = readValue(source, index);
    attributes[attribute] = value;
    index = end;
    if (index >= source.length) throw unclosed();
  }
  if (name === 'span' && attributes.class !== 'tg-spoiler') {
    throw new MarkupError(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`);
  }
  return { name, attributes, end: index + 1 };
}

function readValue(source: string, begin: number): { value: string; end: number } {
  const quote = source.charAt(begin);
  if (quote !== '"' && quote !== "'") {
    const [token = ''] = /^[a-z0-9.-]*/i.exec(source.slice(begin)) ?? [];
    const end = begin + token.length;
    if (!/^(?:[\s>]|$)/.test(source.slice(end, end + 1))) {
      throw new MarkupError(`Unexpected end of name token at byte offset ${byteOffset(source, begin)}`);
    }
    return { value: token.toLowerCase(), end };
  }
  let value = '';
  let index = begin + 1;
  while (index < source.length && source.charAt(index) !== quote) {
    if (source.charAt(index) === '&') {
      const { decoded, end } = decodeReference(source, index);
      value += decoded;
      index = end;
    } else {
      value += source.charAt(index);
      index += 1;
    }
  }
  return { value, end: index + 1 };
}

function closeTag(source: string, begin: number, open: OpenTag[]): { tag: OpenTag; end: number } {
  const at = byteOffset(source, begin);
  const tag = open.pop();
  if (!tag) throw new MarkupError(`Unexpected end tag at byte offset ${at}`);
  const [whole = '', written = '', close] = /^<\/([^\s>]*)\s*(>?)/.exec(source.slice(begin)) ?? [];
  if (close !== '>') throw new MarkupError(`Unclosed end tag at byte offset ${at}`);
  const name = written.toLowerCase();
  if (name !== '' && name !== tag.name) {
    throw new MarkupError(`Unmatched end tag at byte offset ${at}, expected "</${tag.name}>", found "</${name}>"`);
  }
  return { tag, end: begin + whole.length };
}

function entityOf(tag: OpenTag, text: string, before: readonly Entity[]): Entity | undefined {
  const { name, attributes, offset } = tag;
  const length = text.length - offset;
  const entity: Entity = { type: types[name] ?? name, offset, length };
  if (name === 'a') {
    const url = checkedLink(attributes.href || text.slice(offset));
    return url === undefined ? undefined : { ...entity, url };
  }
  if (name === 'tg-emoji') {
    const id = attributes['emoji-id'] ?? '';
    if (!/^[1-9]\d*$/.test(id)) throw new MarkupError('Invalid custom emoji identifier specified');
    return { ...entity, custom_emoji_id: id };
  }
  if (name === 'blockquote' && attributes.expandable !== undefined) return { ...entity, type: 'expandable_blockquote' };
  const language = /^language-(.+)/.exec(attributes.class ?? '')?.[1];
  const last = before.at(-1);
  const isSameStretch = last?.offset === offset && last.length === length;
  // `<pre><code class="language-x">`, in either order, is one code block with a language, not two formats.
  if (name === 'pre' && isSameStretch && last.type === 'code' && last.language) {
    last.type = 'pre';
    return undefined;
  }
  if (name === 'code' && isSameStretch && last.type === 'pre' && language) {
    last.language = language;
    return undefined;
  }
  return name === 'code' && language ? { ...entity, language } : entity;
}

function skipSpace(source: string, index: number): number {
  let end = index;
  while (end < source.length && /\s/.test(source.charAt(end))) end += 1;
  return end;
}

import { asText } from '../../http/coerce.ts';
import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import { byteOffset, checkedLink, type Entity, type FormattedText, sorted } from './entities.ts';
import { badRequest } from './errors.ts';
import { listOf } from './input.ts';

// Matches carriage returns, line and paragraph separators, direction marks, and three combining characters that draw
// lines.
const dropped = /[\r\u2028-\u202e]|\u0333|\u033f|\u030a/;
const maxBytes = 32_768;
const maxText = 4096;
const maxCaption = 1024;
const maxEntities = 100;
const ownFormats = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'code',
  'pre',
  'text_link',
  'custom_emoji',
  'blockquote',
  'expandable_blockquote',
];
/** Telegram detects these formats itself. In a list of entities they are allowed and ignored. */
const foundFormats = ['mention', 'hashtag', 'cashtag', 'bot_command', 'url', 'email', 'phone_number', 'text_mention'];

/** The text of sendMessage must not be empty and has at most 4096 UTF-16 units after parsing. */
export function readText(input: JsonObject): FormattedText {
  const source = asText(input.text);
  if (source === '') badRequest('Message text is empty');
  const formatted = format(source, input.parse_mode, input.entities);
  if (formatted.text === '') badRequest('Text must be non-empty');
  if (formatted.text.length > maxText) badRequest('Message is too long');
  return formatted;
}

export function readCaption(input: JsonObject): FormattedText {
  const formatted = format(asText(input.caption), input.parse_mode, input.caption_entities);
  if (formatted.text.length > maxCaption) badRequest('Message caption is too long');
  return formatted;
}

function format(source: string, mode: Json | undefined, entities: Json | undefined): FormattedText {
  if (Buffer.byteLength(source) > maxBytes) badRequest('Text is too long');
  if (asText(mode) !== '') badRequest('parse_mode is not simulated by the sandbox');
  const parsed = { text: source, entities: sorted((listOf(entities, 'entities') ?? []).flatMap(readEntity)) };
  checkEntities(parsed);
  const clean = cleaned(parsed);
  return { text: clean.text, entities: clean.entities.slice(0, maxEntities) };
}

function readEntity(value: Json): Entity[] {
  const complain = (what: string): never => badRequest(`Can't parse MessageEntity: ${what}`);
  if (!isObject(value)) return complain('expected an Object');
  const [offset, length] = ['offset', 'length'].map((name) => {
    if (value[name] === undefined) complain(`Can't find field "${name}"`);
    return Number(value[name]);
  });
  const type = asText(value.type);
  if (type === '') complain('Type is not specified');
  if (foundFormats.includes(type)) return [];
  if (!ownFormats.includes(type)) complain('Unsupported type specified');
  const entity: Entity = { type, offset: offset ?? 0, length: length ?? 0 };
  if (type === 'pre' && value.language) return [{ ...entity, language: asText(value.language) }];
  if (type === 'custom_emoji') return [{ ...entity, custom_emoji_id: asText(value.custom_emoji_id) }];
  if (type !== 'text_link') return [entity];
  if (value.url === undefined) complain('Can\'t find field "url"');
  const url = checkedLink(asText(value.url));
  return url === undefined ? [] : [{ ...entity, url }];
}

function checkEntities({ text, entities }: FormattedText): void {
  const isInside = (index: number) => /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  for (const { offset, length } of entities) {
    if (offset < 0) badRequest(`Receive an entity with incorrect offset ${offset}`);
    if (length < 0) badRequest(`Receive an entity with incorrect length ${length}`);
    const end = offset + length;
    const named = `Entity beginning at UTF-16 offset ${offset} ends`;
    if (offset > text.length)
      badRequest(`Entity begins after the end of the text at byte offset ${Buffer.byteLength(text)}`);
    if (end > text.length) badRequest(`${named} after the end of the text at byte offset ${Buffer.byteLength(text)}`);
    if (isInside(offset))
      badRequest(`Entity begins in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, offset + 1)}`);
    if (isInside(end))
      badRequest(`${named} in a middle of a UTF-16 symbol at byte offset ${byteOffset(text, end + 1)}`);
  }
}

/** Replaces control characters with spaces, removes some invisible characters and trims both ends. */
function cleaned({ text, entities }: FormattedText): FormattedText {
  // Maps each UTF-16 unit of the original text to its new position.
  const places: number[] = [];
  let clean = '';
  for (let index = 0; index < text.length; index += 1) {
    places.push(clean.length);
    const unit = text.charAt(index);
    if (dropped.test(unit)) continue;
    clean += unit < ' ' && unit !== '\n' ? ' ' : unit;
  }
  places.push(clean.length);
  const end = clean.length - (/[ \n]*$/.exec(clean)?.[0].length ?? 0);
  const moved = entities.flatMap((entity) => {
    const [from = 0, to = 0] = [places[entity.offset], places[entity.offset + entity.length]];
    const length = Math.min(to, end) - from;
    return length > 0 ? [{ ...entity, offset: from, length }] : [];
  });
  const blank = /^[ \n]*/.exec(clean.slice(0, end))?.[0].length ?? 0;
  const start = Math.min(blank, moved[0]?.offset ?? blank);
  return {
    text: clean.slice(start, end),
    entities: sorted(moved.map((entity) => ({ ...entity, offset: entity.offset - start }))),
  };
}

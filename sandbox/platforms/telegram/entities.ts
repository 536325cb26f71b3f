/** A formatted range of a text. Offset and length are in UTF-16 units. */
export interface Entity {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  custom_emoji_id?: string;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: Entity[];
}

/** Outer entities come first. */
export function sorted(entities: readonly Entity[]): Entity[] {
  return entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
}

/** A link without a scheme gets http. An invalid link makes no entity. */
export function checkedLink(url: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  const found = URL.parse(address);
  if (!found) return undefined;
  return /^https?:$/.test(found.protocol) && !/\.[^.]/.test(found.hostname) && found.hostname !== 'localhost'
    ? undefined
    : found.href;
}

/** Telegram reports the position of an error in UTF-8 bytes. */
export function byteOffset(text: string, index: number): number {
  return Buffer.byteLength(text.slice(0, index));
}

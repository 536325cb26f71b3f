import type { Store } from '../../../store/index.ts';

const alphabet = '234567abcdefghijklmnopqrstuvwxyz';
const tidLength = 13;

export function isTid(text: string): boolean {
  return /^[234567abcdefghij][234567a-z]{12}$/.test(text);
}

export function isRecordKey(text: string): boolean {
  return /^[\w~.:-]{1,512}$/.test(text) && text !== '.' && text !== '..';
}

export function isNsid(text: string): boolean {
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+\.[a-zA-Z][a-zA-Z0-9]*$/i.test(text) && text.length <= 317;
}

/** A timestamp id (TID): microseconds and a ten-bit clock id. TIDs sort by time. */
export function nextTid(store: Store): string {
  const id = BigInt(store.ids.snowflake(16n));
  const microseconds = (id >> 16n) * 1000n + (id & 0xffffn);
  let rest = microseconds << 10n;
  let text = '';
  while (text.length < tidLength) {
    text = (alphabet[Number(rest & 31n)] ?? '') + text;
    rest >>= 5n;
  }
  return text;
}

interface AtUri {
  /** A DID or a handle. */
  readonly actor: string;
  readonly collection: string;
  readonly rkey: string;
}

export function parseAtUri(text: string): AtUri | undefined {
  const [, actor, collection, rkey] = /^at:\/\/([a-zA-Z0-9._:%-]+)\/([a-zA-Z0-9.-]+)\/([^/?#\s]+)$/.exec(text) ?? [];
  if (actor === undefined || collection === undefined || rkey === undefined) return undefined;
  return isNsid(collection) && isRecordKey(rkey) ? { actor, collection, rkey } : undefined;
}

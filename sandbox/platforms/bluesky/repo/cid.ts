import { createHash } from 'node:crypto';
import { isObject, type Json } from '../../../http/json.ts';
import { invalid } from '../errors.ts';

// Content ids (CIDv1, SHA-256, base32). Clients can compute them themselves, so these are real ones.

const [version, dagCbor, raw, sha256Code, sha256Length] = [0x01, 0x71, 0x55, 0x12, 0x20];
const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function isCid(text: string): boolean {
  return /^b[a-z2-7]{58}$/.test(text);
}

export function cidOfRecord(record: Json): string {
  return format(dagCbor, createHash('sha256').update(encode(record)).digest());
}

export function cidOfBlob(sha256: string): string {
  return format(raw, Buffer.from(sha256, 'hex'));
}

/** Finds every blob of a record, at any depth. */
export function blobsIn(value: Json | undefined): BlobRef[] {
  const blob = readBlob(value);
  if (blob) return [blob];
  if (Array.isArray(value)) return value.flatMap(blobsIn);
  return isObject(value) ? Object.values(value).flatMap(blobsIn) : [];
}

export function readBlob(value: Json | undefined): BlobRef | undefined {
  if (!isObject(value) || value.$type !== 'blob' || !isObject(value.ref)) return undefined;
  const { mimeType, size, ref } = value;
  if (typeof ref.$link !== 'string' || !isCid(ref.$link)) return undefined;
  if (typeof mimeType !== 'string' || !Number.isSafeInteger(size)) return undefined;
  return { cid: ref.$link, mimeType, size: Number(size) };
}

function format(codec: number, digest: Buffer): string {
  const bytes = Buffer.concat([Buffer.of(version, codec, sha256Code, sha256Length), digest]);
  let [text, bits, pending] = ['b', 0, 0];
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32[(pending >> bits) & 31];
    }
    pending &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + base32[(pending << (5 - bits)) & 31];
}

function parse(cid: string): Buffer {
  const bytes: number[] = [];
  let [bits, pending] = [0, 0];
  for (const character of cid.slice(1)) {
    pending = (pending << 5) | base32.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >> bits) & 255);
    pending &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

/** Encodes AT Protocol JSON as DAG-CBOR. `$link` and `$bytes` represent values that JSON does not have. */
function encode(value: Json): Buffer {
  if (value === null) return Buffer.of(0xf6);
  if (typeof value === 'boolean') return Buffer.of(value ? 0xf5 : 0xf4);
  if (typeof value === 'number') return encodeInteger(value);
  if (typeof value === 'string') return sized(3, Buffer.from(value));
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)]);
  if (typeof value.$link === 'string') return encodeLink(value.$link);
  if (typeof value.$bytes === 'string') return sized(2, Buffer.from(value.$bytes, 'base64'));
  const keys = Object.keys(value).sort(byLengthThenBytes);
  return Buffer.concat([head(5, keys.length), ...keys.flatMap((key) => [encode(key), encode(value[key] ?? null)])]);
}

function encodeInteger(value: number): Buffer {
  if (!Number.isSafeInteger(value)) invalid(`Numbers must be integers (got ${value})`);
  return value >= 0 ? head(0, value) : head(1, -1 - value);
}

/** A link is tag 42, a zero byte and the id. */
function encodeLink(cid: string): Buffer {
  if (!isCid(cid)) invalid(`Invalid CID string (got ${JSON.stringify(cid)})`);
  return Buffer.concat([Buffer.of(0xd8, 42), sized(2, Buffer.concat([Buffer.of(0), parse(cid)]))]);
}

function sized(major: number, bytes: Buffer): Buffer {
  return Buffer.concat([head(major, bytes.length), bytes]);
}

export interface BlobRef {
  readonly cid: string;
  readonly mimeType: string;
  readonly size: number;
}

function head(major: number, count: number): Buffer {
  const type = major << 5;
  if (count < 24) return Buffer.of(type | count);
  if (count < 2 ** 8) return Buffer.of(type | 24, count);
  const bytes = Buffer.alloc(count < 2 ** 16 ? 3 : count < 2 ** 32 ? 5 : 9);
  if (bytes.length === 3) bytes.writeUInt16BE(count, 1);
  else if (bytes.length === 5) bytes.writeUInt32BE(count, 1);
  else bytes.writeBigUInt64BE(BigInt(count), 1);
  bytes[0] = type | { 3: 25, 5: 26, 9: 27 }[bytes.length as 3 | 5 | 9];
  return bytes;
}

function byLengthThenBytes(one: string, other: string): number {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length - b.length || a.compare(b);
}

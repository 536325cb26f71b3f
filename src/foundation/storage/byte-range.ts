/** From `start` up to but not including `end`. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a `Range` header (RFC 9110, section 14): one range, the whole file, or a range outside the file. As the RFC
 * allows, a header that is malformed, uses another unit or lists several ranges is ignored: the whole file is sent.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  const end = last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (last !== '' && Number(last) < start) return 'whole';
  return start < end ? { start, end } : 'unsatisfiable';
}

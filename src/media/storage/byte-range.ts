/** From `start` up to but not including `end`. */
export type ByteRange = { start: number; end: number };

/**
 * What a `Range` header asks for (RFC 9110, section 14): one range, all of it, or nothing that there is. A header that
 * is malformed, of another unit or names several ranges counts as absent, which the RFC allows: the answer is whole.
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

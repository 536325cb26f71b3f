/** A part of the stripped file: a range of the original, or bytes that replace some of it. */
export type Piece = Range | Uint8Array;
interface Range {
  readonly start: number;
  readonly end: number;
}

export const lengthOf = (piece: Piece) => (isRange(piece) ? piece.end - piece.start : piece.byteLength);
export const isRange = (piece: Piece): piece is Range => 'start' in piece;
export const ascii = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** A PNG of 50 MB in chunks of 4 kB has 12,800. A file with more is re-encoded in a separate process. */
const maxSegments = 20_000;

/** Throws if a file has more segments than any camera or program writes: walking through them would take too long. */
export function segmentCounter(): () => void {
  let found = 0;
  return () => {
    found += 1;
    if (found > maxSegments) throw new Error(`more than ${maxSegments} segments`);
  };
}

/** Adds a piece and merges adjacent ranges, because most files are kept almost whole. */
export function keep(kept: Piece[], piece: Piece): void {
  const last = kept.at(-1);
  if (last && isRange(last) && isRange(piece) && last.end === piece.start)
    kept[kept.length - 1] = { start: last.start, end: piece.end };
  else kept.push(piece);
}

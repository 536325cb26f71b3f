/** A part of the stripped file: a range of the original, or bytes that replace some of it. */
export type Piece = Range | Uint8Array;
interface Range {
  readonly start: number;
  readonly end: number;
}

export const lengthOf = (piece: Piece) => (isRange(piece) ? piece.end - piece.start : piece.byteLength);
export const isRange = (piece: Piece): piece is Range => 'start' in piece;
export const ascii = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

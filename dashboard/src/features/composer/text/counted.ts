import type { PlatformLimits } from '@crier/client';
import { textLength } from '../../../../../src/foundation/text/length.ts';
import type { CheckedText } from '../validation/checked-texts.ts';
import { cutsIn } from './cuts.ts';

export interface Counted {
  readonly max: number;
  /** By Crier's count or, if that is longer, by the network's own count of links: the first to reach the limit decides. */
  readonly length: number;
  /** Null: a thread of an unknown number of parts. */
  readonly parts: number | null;
}

export const countedBy = ({ maxLength, length, networkLength = length, parts }: CheckedText): Counted => ({
  max: maxLength,
  length: Math.max(length, networkLength),
  parts: parts.length,
});

/** Between two answers: counted by the server's function, in the unit that the server names. */
export function countHere(
  text: string,
  earlier: CheckedText | null,
  { characters, counting, requirements }: PlatformLimits,
): Counted {
  const { unit, linkLength, networkLinkLength = linkLength } = earlier?.counting ?? counting;
  const max = earlier?.maxLength ?? characters.standard;
  const whole = textLength(text, unit, linkLength);
  // Like the server: white space at the end doesn't turn a text into a thread.
  const fitting = whole > max ? text.trim() : text;
  const length = fitting === text ? whole : textLength(fitting, unit, linkLength);
  const networkLength = networkLinkLength === linkLength ? length : textLength(fitting, unit, networkLinkLength);
  const isStillCut = earlier !== null && earlier.parts.length > 1 && cutsIn(text, earlier.parts).length > 0;
  return {
    max,
    length: Math.max(length > max ? whole : length, networkLength),
    parts: isStillCut ? earlier.parts.length : length > max && requirements.supportsThreading ? null : 1,
  };
}

import type { Connection } from '@crier/client';
import { textOn, type Validation } from './use-validation.ts';

const whole: readonly string[] = [];

/** The parts on the channel where the text is cut most often. Empty if it is a thread nowhere. */
export function longestThread(channels: readonly Connection[], validation: Validation): readonly string[] {
  return channels
    .map(({ platformId }) => textOn(validation, platformId)?.parts ?? whole)
    .filter((parts) => parts.length > 1)
    .reduce((longest, parts) => (parts.length > longest.length ? parts : longest), whole);
}

/** The service adds it to parts that it cut itself. */
const number = /\s*\(\d+\/\d+\)$/;

export interface Cut {
  /** Where the part begins in the text. */
  readonly at: number;
  readonly label: string;
}

/** Where each part but the first begins. Behind the place that was just changed, the parts are not known yet. */
export function cutsIn(text: string, parts: readonly string[]): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  for (const [index, sent] of parts.entries()) {
    const part = sent.replace(number, '');
    const at = text.indexOf(part, from);
    if (at < 0) return cuts;
    if (index > 0) cuts.push({ at, label: `${index + 1}/${parts.length}` });
    from = at + part.length;
  }
  return cuts;
}

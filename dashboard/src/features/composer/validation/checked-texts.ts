import type { Connection, PostValidated } from '@crier/client';

export type CheckedText = PostValidated['texts'][number];

interface Checked {
  readonly texts: readonly CheckedText[];
}

/** The validated text of a channel, if available. */
export const textOn = ({ texts }: Checked, channel: string) =>
  texts.find(({ platforms }) => platforms.includes(channel)) ?? null;

const whole: readonly string[] = [];

/** The parts on the channel with the longest thread. Empty if there is no thread. */
export function longestThread(channels: readonly Connection[], validation: Checked): readonly string[] {
  return channels
    .map(({ platformId }) => textOn(validation, platformId)?.parts ?? whole)
    .filter((parts) => parts.length > 1)
    .reduce((longest, parts) => (parts.length > longest.length ? parts : longest), whole);
}

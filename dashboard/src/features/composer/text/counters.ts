import type { Connection, PlatformLimits } from '@crier/client';
import { channelName } from '../../../components/channels/avatar.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { textOn } from '../validation/checked-texts.ts';
import type { Validation } from '../validation/use-validation.ts';
import { type Counted, countedBy, countHere } from './counted.ts';

export interface Counter {
  readonly key: string;
  readonly platform: string;
  readonly text: string;
  /** From 0 to 1. */
  readonly used: number;
  /** Infinite for threads. */
  readonly left: number;
  readonly isOver: boolean;
  /** Never for threads, which have room for more. */
  readonly isTight: boolean;
}

/** One counter per network, or per channel if channels of a network differ, where it matters. */
export function countersFor(
  text: string,
  chosen: readonly Connection[],
  validation: Pick<Validation, 'state' | 'texts'>,
  limits: Readonly<Record<string, PlatformLimits>>,
): Counter[] {
  const counters = new Map<string, Counter>();
  for (const channel of chosen) {
    const platform = platformOf(channel.platformId);
    const siblings = chosen.filter((one) => platformOf(one.platformId) === platform);
    const checked = textOn(validation, channel.platformId);
    const isAlike = siblings.every((one) => textOn(validation, one.platformId) === checked);
    const name = isAlike ? platformName(platform) : `${platformName(platform)} (${channelName(channel)})`;
    const limit = limits[platform];
    if (counters.has(name) || !limit) continue;
    const isCurrent = validation.state === 'current';
    const counted = checked && isCurrent ? countedBy(checked) : countHere(text, checked, limit);
    counters.set(name, { key: name, platform, ...shown(name, counted) });
  }
  return thatMatter([...counters.values()]);
}

/** One line of them at most. */
const few = 3;

/** Of many: those near or above their limit, and the one that reaches its limit first. */
function thatMatter(counters: Counter[]): Counter[] {
  if (counters.length <= few) return counters;
  const least = Math.min(...counters.map(({ left }) => left));
  const isFirst = ({ left }: Counter) => left === least && left !== Number.POSITIVE_INFINITY;
  return counters.filter((counter) => counter.isOver || counter.isTight || isFirst(counter));
}

function shown(name: string, { max, length, parts }: Counted): Omit<Counter, 'key' | 'platform'> {
  const thread = { used: 1, left: Number.POSITIVE_INFINITY, isOver: false, isTight: false };
  if (parts === null) return { text: `${name}: thread`, ...thread };
  if (parts > 1) return { text: `${name}: thread of ${parts} posts`, ...thread };
  return {
    text: `${name}: ${leftOver(max - length)}`,
    left: max - length,
    used: Math.min(1, length / max),
    isOver: length > max,
    isTight: length / max > 0.9,
  };
}

function leftOver(left: number): string {
  const count = Math.abs(left).toLocaleString('en');
  const noun = Math.abs(left) === 1 ? 'character' : 'characters';
  return left < 0 ? `${count} ${noun} too many` : `${count} ${noun} left`;
}

import type { Connection, PlatformLimits } from '@crier/client';
import { channelName } from '../../../components/channels/avatar.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { textOn, type Validation } from '../validation/use-validation.ts';

export interface Counter {
  readonly key: string;
  readonly platform: string;
  readonly text: string;
  /** From 0 to 1. */
  readonly used: number;
  readonly isOver: boolean;
  /** Never for threads, which have room for more. */
  readonly isTight: boolean;
}

/** One counter per network, or per channel if channels of a network differ. */
export function countersFor(
  chosen: readonly Connection[],
  validation: Validation,
  limits: Readonly<Record<string, PlatformLimits>>,
): Counter[] {
  const counters = new Map<string, Counter>();
  for (const channel of chosen) {
    const platform = platformOf(channel.platformId);
    const siblings = chosen.filter((one) => platformOf(one.platformId) === platform);
    const checked = textOn(validation, channel.platformId);
    const isAlike = siblings.every((one) => textOn(validation, one.platformId) === checked);
    const name = isAlike ? platformName(platform) : `${platformName(platform)} (${channelName(channel)})`;
    const max = checked?.maxLength ?? limits[platform]?.characters.standard;
    if (max === undefined) continue;
    const length = checked?.length ?? 0;
    const parts = checked?.parts.length ?? 1;
    const isThread = parts > 1;
    counters.set(name, {
      key: name,
      platform,
      text: isThread
        ? `${name}: thread of ${parts} posts`
        : `${name}: ${leftOver(max - length)}${ownCount(max, checked)}`,
      used: isThread ? 1 : Math.min(1, length / max),
      isOver: !isThread && length > max,
      isTight: !isThread && length / max > 0.9,
    });
  }
  return [...counters.values()];
}

/** If the network counts links differently. */
function ownCount(max: number, checked: ReturnType<typeof textOn>): string {
  return checked?.networkLength === undefined
    ? ''
    : ` (${leftOver(max - checked.networkLength)} with the network’s link lengths)`;
}

function leftOver(left: number): string {
  const count = Math.abs(left).toLocaleString('en');
  const noun = Math.abs(left) === 1 ? 'character' : 'characters';
  return left < 0 ? `${count} ${noun} too many` : `${count} ${noun} left`;
}

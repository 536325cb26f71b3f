import type { Platform, PlatformId } from './kit/index.ts';
import { mastodon } from './mastodon/index.ts';

/** Every network we publish to: one line each. */
export const platforms = { mastodon } satisfies Partial<Record<PlatformId, Platform>>;

export function platformFor(id: string): Platform | null {
  const known: Partial<Record<string, Platform>> = platforms;
  return (Object.hasOwn(known, id) && known[id]) || null;
}

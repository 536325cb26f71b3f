import { platformName } from '../platform-name.ts';
import type { PostSummary } from './post-summary.ts';

interface OfChannel {
  platformId: string;
  userId?: string | undefined;
}

/** In a list of all brands, the same account may be a channel of several. */
export const channelKey = ({ platformId, userId = '' }: OfChannel) => `${userId} ${platformId}`;

/** The targets of a scheduled post whose channels were disconnected. */
export function strandedTargets({ status, platforms, userId }: PostSummary, channels: ReadonlySet<string>) {
  if (status !== 'scheduled') return [];
  return platforms.filter(
    ({ platformId, status }) => status === 'scheduled' && !channels.has(channelKey({ platformId, userId })),
  );
}

/** Why a scheduled post can't be published everywhere. Null: nothing is known to be wrong. */
export function strandedNote(post: PostSummary, channels: ReadonlySet<string>): string | null {
  const names = new Set(strandedTargets(post, channels).map(({ platform }) => platformName(platform)));
  return names.size > 0 ? `${[...names].join(', ')}: channel disconnected. Choose another one.` : null;
}

import type { Connection } from '@crier/client';
import { count, type PostSummary } from '../../lib/posts/post-summary.ts';
import { needsAttention } from '../channels/channel-list.ts';

/** A channel that stops posts, or that posts failed on. */
export interface Trouble {
  platformId: string;
  /** Undefined if it was disconnected. */
  channel: Connection | undefined;
  isBroken: boolean;
  /** `3 posts at risk`, or nothing. */
  risk: string;
  failed: readonly PostSummary[];
  /** Those of `failed` that can be published now, in order. */
  toRetry: readonly PostSummary[];
}

/** Channels in trouble: broken ones first, and those that stop most posts before others. */
export function troubles(
  channels: readonly Connection[],
  failed: readonly PostSummary[],
  next: { posts: readonly PostSummary[]; hasMore: boolean },
): Trouble[] {
  const failedOn = byChannel(failed, ({ status }) => status === 'failed');
  const scheduledOn = byChannel(next.posts, () => true);
  const broken = channels.filter(needsAttention).map(({ platformId }) => platformId);
  const ids = new Set([...broken, ...failedOn.keys()]);
  const found = [...ids].map((platformId): Trouble & { weight: number } => {
    const isBroken = broken.includes(platformId);
    const atRisk = isBroken ? (scheduledOn.get(platformId)?.length ?? 0) : 0;
    const posts = failedOn.get(platformId) ?? [];
    return {
      platformId,
      channel: channels.find((channel) => channel.platformId === platformId),
      isBroken,
      risk: riskOf(atRisk, next.hasMore),
      failed: posts,
      toRetry: retryableOn([platformId], posts),
      weight: isBroken ? 1000 + atRisk : posts.length,
    };
  });
  return found.sort((a, b) => b.weight - a.weight);
}

/** The posts that failed on one of these channels and can be published now. */
export const retryableOn = (ids: readonly string[], posts: readonly PostSummary[]): PostSummary[] =>
  posts.filter(({ platforms }) => platforms.some(({ platformId, retryable }) => retryable && ids.includes(platformId)));

function byChannel(posts: readonly PostSummary[], isWanted: (target: PostSummary['platforms'][number]) => boolean) {
  const found = new Map<string, PostSummary[]>();
  for (const post of posts) {
    for (const target of post.platforms.filter(isWanted)) {
      const others = found.get(target.platformId);
      if (others) others.push(post);
      else found.set(target.platformId, [post]);
    }
  }
  return found;
}

/** If not all posts were counted, there may be more. */
function riskOf(atRisk: number, hasMore: boolean): string {
  if (atRisk === 0) return '';
  return `${hasMore ? 'at least ' : ''}${count(atRisk, 'post')} at risk`;
}

export interface Retried {
  /** Posts that are being sent again. */
  retried: number;
  /** Posts that can't be retried, for example because the first attempt may have succeeded. */
  refused: number;
}

export function sentenceOf({ retried, refused }: Retried): string {
  const again = `Publishing ${count(retried, 'post')} again.`;
  const left = `${count(refused, 'post')} can’t be retried: open ${refused === 1 ? 'it' : 'them'} to see why.`;
  if (refused === 0) return again;
  return retried === 0 ? left : `${again} ${left}`;
}

export type Failure = Pick<PostSummary, 'postGroupId' | 'version'>;

/** With the version, because a post that fails again after a retry needs attention again. */
export const dismissalOf = ({ postGroupId, version = 0 }: Failure) => `${postGroupId}:${version}`;

/** Those already dismissed, as long as they are listed at all, and these. */
export function withDismissed(before: readonly string[], listed: readonly Failure[], posts: readonly Failure[]) {
  const current = new Set(listed.map(dismissalOf));
  return [...before.filter((each) => current.has(each)), ...posts.map(dismissalOf)];
}

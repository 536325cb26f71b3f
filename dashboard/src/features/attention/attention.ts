import type { Connection } from '@crier/client';
import { count, type PostSummary } from '../../lib/posts/post-summary.ts';
import { channelKey, strandedTargets } from '../../lib/posts/stranded.ts';
import { needsAttention } from '../channels/channel-list.ts';

/** A channel that stops posts, or that posts failed on. */
export interface Trouble {
  key: string;
  platformId: string;
  /** Undefined if it was disconnected. */
  channel: Connection | undefined;
  isBroken: boolean;
  /** `3 posts at risk`, or nothing. */
  risk: string;
  /** Scheduled posts that can't be published here, because the channel was disconnected. */
  stranded: readonly PostSummary[];
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
  const connected = new Map(channels.map((channel) => [channelKey(channel), channel]));
  const known = new Set(connected.keys());
  const failedOn = byChannel(failed, ({ platforms }) => platforms.filter(({ status }) => status === 'failed'));
  const scheduledOn = byChannel(next.posts, ({ platforms }) => platforms);
  const strandedOn = byChannel(next.posts, (post) => strandedTargets(post, known));
  const broken = channels.filter(needsAttention).map(channelKey);
  const ids = new Set([...broken, ...strandedOn.keys(), ...failedOn.keys()]);
  const found = [...ids].map((key): Trouble & { weight: number } => {
    const isBroken = broken.includes(key);
    const platformId = key.slice(key.indexOf(' ') + 1);
    const stranded = strandedOn.get(key) ?? [];
    const atRisk = isBroken ? (scheduledOn.get(key)?.length ?? 0) : 0;
    const posts = failedOn.get(key) ?? [];
    return {
      key,
      platformId,
      channel: connected.get(key),
      isBroken,
      risk: stranded.length > 0 ? stuckOf(stranded.length, next.hasMore) : riskOf(atRisk, next.hasMore),
      stranded,
      failed: posts,
      toRetry: retryableOn([platformId], posts),
      weight: isBroken || stranded.length > 0 ? 1000 + atRisk + stranded.length : posts.length,
    };
  });
  return found.sort((a, b) => b.weight - a.weight);
}

/** The posts that failed on one of these channels and can be published now. */
export const retryableOn = (ids: readonly string[], posts: readonly PostSummary[]): PostSummary[] =>
  posts.filter(({ platforms }) => platforms.some(({ platformId, retryable }) => retryable && ids.includes(platformId)));

function byChannel(posts: readonly PostSummary[], targetsOf: (post: PostSummary) => PostSummary['platforms']) {
  const found = new Map<string, PostSummary[]>();
  for (const post of posts) {
    for (const { platformId } of targetsOf(post)) {
      const key = channelKey({ platformId, userId: post.userId });
      const others = found.get(key);
      if (others) others.push(post);
      else found.set(key, [post]);
    }
  }
  return found;
}

const stuckOf = (number: number, hasMore: boolean) =>
  `${hasMore ? 'at least ' : ''}${count(number, 'scheduled post')} can’t be published`;

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

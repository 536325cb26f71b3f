import type { PlatformPost, PostGroup, PostLog } from '@crier/client';
import { platformName } from '../../../lib/platform-name.ts';
import { shownStatus } from '../../../lib/post-summary.ts';

/** The text that most targets have. Others have one of their own. */
export function textOf({ posts }: Pick<PostGroup, 'posts'>): string {
  const texts = [...Map.groupBy(posts, ({ content }) => content ?? '')].sort(([, a], [, b]) => b.length - a.length);
  return texts[0]?.[0] ?? '';
}

/** The state to show at the head of the page. What is to be published now does not wait for its time. */
export function statusOf(
  post: Pick<PostGroup, 'status' | 'posts' | 'scheduledTime'>,
  logs: readonly PostLog[],
): string {
  const { status, posts, scheduledTime } = post;
  const isRunning =
    posts.some(({ retry }) => retry) ||
    logs.some((log) => log.event === 'scheduled' && isImmediate(log, scheduledTime));
  return status === 'scheduled' && isRunning ? 'publishing' : shownStatus({ status, platforms: posts });
}

/** The connection of a target, as lists name it. */
export const channelIdOf = ({ platform, platformId }: Pick<PlatformPost, 'platform' | 'platformId'>): string =>
  `${platform}-${platformId ?? ''}`;

export const isUnknown = ({ error }: Pick<PlatformPost, 'error'>): boolean => error?.code === 'PUBLISH_OUTCOME_UNKNOWN';

/** When a target was published, which only the log knows. */
export const publishedAt = (logs: readonly PostLog[], targetId: string): string | null =>
  logs.findLast(({ event, postId }) => event === 'publish_succeeded' && postId === targetId)?.createdAt ?? null;

export interface Advice {
  text: string;
  action?: 'reconnect' | 'retry';
  /** Whether a copy for this network is the way on. */
  isCopyOffered?: true;
}

/** What a person can do about a failure. The words of the API say what happened. */
export function adviceFor({ platform, error }: Pick<PlatformPost, 'platform' | 'error'>): Advice | null {
  if (!error) return null;
  const name = platformName(platform);
  const known = advice[error.code]?.(name);
  if (known) return known;
  return error.retryable
    ? { text: 'The reason usually passes. Try again in a moment.', action: 'retry' }
    : {
        text: `The same post would fail again. Make a copy for ${name}, change what ${name} refuses, and publish the copy.`,
        isCopyOffered: true,
      };
}

const advice: Record<string, (name: string) => Advice> = {
  PUBLISH_OUTCOME_UNKNOWN: (name) => ({
    text: `${name} did not answer in time, so Crier cannot tell whether the post is there. It was not sent a second time, so that it cannot appear twice. Look at the account on ${name}: if the post is missing, make a copy for ${name} and publish it.`,
    isCopyOffered: true,
  }),
  PLATFORM_AUTH_EXPIRED: (name) => ({
    text: `Connect the ${name} account again, then make a copy for ${name} and publish it.`,
    action: 'reconnect',
    isCopyOffered: true,
  }),
  // A copy would begin the thread a second time.
  THREAD_PARTIALLY_PUBLISHED: (name) => ({
    text: `The first posts of the thread are on ${name}, so a copy would publish them twice. Add the rest on ${name}, or delete them there and duplicate this post.`,
  }),
  RATE_LIMITED: (name) => ({
    text: `${name} takes no more posts from this account for now. Try again later.`,
    action: 'retry',
  }),
  PLATFORM_SERVER_ERROR: (name) => ({
    text: `The trouble is on ${name}'s side. Try again in a few minutes.`,
    action: 'retry',
  }),
  NETWORK_ERROR: (name) => ({ text: `${name} could not be reached. Try again in a few minutes.`, action: 'retry' }),
  TIMEOUT_ERROR: (name) => ({ text: `${name} was too slow. Try again in a few minutes.`, action: 'retry' }),
  CONTENT_TOO_LARGE: (name) => ({
    text: `Make a copy for ${name}, with a shorter text or smaller files, and publish that.`,
    isCopyOffered: true,
  }),
};

/**
 * What a copy is for that mends this target: all that were refused for good, so that one copy is enough. A target whose outcome
 * is unknown may be published, so it gets a separate copy.
 */
export function copiedWith(target: PlatformPost, posts: readonly PlatformPost[]): PlatformPost[] {
  if (isUnknown(target)) return [target];
  return posts.filter((one) => one.error && !one.error.retryable && !isUnknown(one) && adviceFor(one)?.isCopyOffered);
}

/** An entry of the log as a sentence. `scheduledTime` is that of the post. */
export function describeLog(log: PostLog, scheduledTime: string | null): string {
  const { event, platform, metadata = {}, error, retryCount } = log;
  const name = platform ? platformName(platform) : 'the network';
  const number = Number(metadata.index ?? 0) + 1;
  const sentences: Record<string, string> = {
    scheduled: isImmediate(log, scheduledTime) ? 'The post was sent off to be published now' : 'The post was scheduled',
    processing: `Publishing on ${name} began`,
    publish_attempted: `The post was sent to ${name}${retryCount ? `, attempt ${retryCount + 1}` : ''}`,
    publish_succeeded: `${name} published the post`,
    publish_failed: `${name} did not publish the post`,
    publish_retry: `An attempt on ${name} failed; another follows`,
    retry_requested: `You asked to try ${name} again`,
    status_changed: changeOf(metadata),
    media_finalize_succeeded: 'A file was checked and is ready',
    media_finalize_failed: 'A file cannot be published',
    linkedin_document_upload_succeeded: 'The document was uploaded to LinkedIn',
    linkedin_document_upload_failed: 'The document could not be uploaded to LinkedIn',
    first_comment_posted: `Comment ${number} was posted on ${name}`,
    first_comment_failed: `Comment ${number} could not be posted on ${name}`,
  };
  const sentence = sentences[event] ?? event.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return error ? `${sentence}: ${error}` : sentence;
}

/** "Publish now" gives the post the time at which it is asked for. */
const isImmediate = ({ createdAt }: PostLog, scheduledTime: string | null) =>
  scheduledTime !== null && scheduledTime <= createdAt;

const reasons: Record<string, string> = {
  media_changed: 'because its files changed',
  media_backstop: 'because one of its files cannot be published',
  state_mismatch: 'to repair its state',
};

function changeOf({ from, to, reason }: NonNullable<PostLog['metadata']>): string {
  const why = reasons[String(reason)];
  const what = to === 'draft' ? 'The post was returned to draft' : `The state changed from ${from} to ${to}`;
  return why ? `${what} ${why}` : what;
}

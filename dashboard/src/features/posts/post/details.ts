import type { PlatformPost, PostGroup, PostLog } from '@crier/client';
import { platformName } from '../../../lib/platform-name.ts';
import { inOurWords, withoutAdvice } from '../../../lib/posts/messages.ts';
import { shownStatus } from '../../../lib/posts/post-summary.ts';

/** The text that most targets share. Others have a custom text. */
export function textOf({ posts }: Pick<PostGroup, 'posts'>): string {
  const texts = [...Map.groupBy(posts, ({ content }) => content ?? '')].sort(([, a], [, b]) => b.length - a.length);
  return texts[0]?.[0] ?? '';
}

/** The status to show in the page header. A post to publish now isn't waiting for its time. */
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

export const isUnknown = ({ error }: Pick<PlatformPost, 'error'>): boolean => error?.code === 'PUBLISH_OUTCOME_UNKNOWN';

/** When a target was published, according to the log. */
export const publishedAt = (logs: readonly PostLog[], targetId: string): string | null =>
  logs.findLast(({ event, postId }) => event === 'publish_succeeded' && postId === targetId)?.createdAt ?? null;

export interface Advice {
  text: string;
  action?: 'reconnect' | 'retry';
  /** Whether to offer a copy for this network. */
  isCopyOffered?: true;
}

/** Whether the channel of a target works: `expired` until it is reconnected, `gone` once it is disconnected. */
export type ChannelState = 'works' | 'expired' | 'gone';

type Failed = Pick<PlatformPost, 'platform' | 'error'>;

/** Like the service: also what failed because the channel had expired, once it is reconnected. */
export const isRetryable = ({ error }: Failed, channel: ChannelState): boolean =>
  error?.retryable === true || (error?.code === expired && channel === 'works');

const expired = 'PLATFORM_AUTH_EXPIRED';

/** What the user can do about a failure. The API's message says what happened. */
export function adviceFor({ platform, error }: Failed, channel: ChannelState): Advice | null {
  if (!error) return null;
  const name = platformName(platform);
  if (error.code === expired && channel === 'expired')
    return { text: `Reconnect the ${name} account, then try again here.`, action: 'reconnect' };
  if (error.code === expired && channel === 'works')
    return { text: `The ${name} account works again. Try again to publish the post.`, action: 'retry' };
  const known = advice[error.code]?.(name);
  if (known) return known;
  return error.retryable
    ? { text: 'This is usually temporary. Try again in a moment.', action: 'retry' }
    : {
        text: `The same post would fail again. Make a copy for ${name}, fix the problem and publish the copy.`,
        isCopyOffered: true,
      };
}

const advice: Record<string, (name: string) => Advice> = {
  PUBLISH_OUTCOME_UNKNOWN: (name) => ({
    text: `${name} didn’t respond in time, so Crier can’t tell whether the post was published. To avoid a duplicate, Crier didn’t send it again. Check the account on ${name}. If the post is missing, make a copy for ${name} and publish it.`,
    isCopyOffered: true,
  }),
  PLATFORM_AUTH_EXPIRED: (name) => ({
    text: `The ${name} account is no longer connected. Add it again, then make a copy for ${name} and publish it.`,
    isCopyOffered: true,
  }),
  // A copy would start the thread a second time.
  THREAD_PARTIALLY_PUBLISHED: (name) => ({
    text: `The first posts of the thread are live on ${name}, so a copy would publish them twice. Add the rest on ${name}, or delete them there and duplicate this post.`,
  }),
  RATE_LIMITED: (name) => ({
    text: `${name} limits how often an account can post. Your other channels aren’t affected.`,
    action: 'retry',
  }),
  PLATFORM_SERVER_ERROR: (name) => ({
    text: `${name} usually recovers within a few minutes. Then try again.`,
    action: 'retry',
  }),
  NETWORK_ERROR: (name) => ({ text: `Crier couldn’t reach ${name}. Try again in a few minutes.`, action: 'retry' }),
  TIMEOUT_ERROR: (name) => ({ text: `${name} took too long to respond. Try again in a few minutes.`, action: 'retry' }),
  CONTENT_TOO_LARGE: (name) => ({
    text: `Make a copy for ${name} with shorter text or smaller files, and publish it.`,
    isCopyOffered: true,
  }),
};

/**
 * The targets of a copy that fixes this one: all with a permanent failure, so that one copy is enough. A target with an unknown
 * outcome may be published, so it gets a separate copy.
 */
export function copiedWith(
  target: PlatformPost,
  posts: readonly PlatformPost[],
  channelOf: (target: PlatformPost) => ChannelState,
): PlatformPost[] {
  if (isUnknown(target)) return [target];
  return posts.filter((one) => {
    const channel = channelOf(one);
    return one.error && !isRetryable(one, channel) && !isUnknown(one) && adviceFor(one, channel)?.isCopyOffered;
  });
}

/** Describes a log entry. `scheduledTime` is the post's. */
export function describeLog(log: PostLog, scheduledTime: string | null): string {
  const { event, platform, metadata = {}, error, retryCount } = log;
  const name = platform ? platformName(platform) : 'the network';
  const number = Number(metadata.index ?? 0) + 1;
  const sentences: Record<string, string> = {
    scheduled: isImmediate(log, scheduledTime) ? 'Publishing requested' : 'Post scheduled',
    processing: `Publishing on ${name} started`,
    publish_attempted: `Sent to ${name}${retryCount ? `, attempt ${retryCount + 1}` : ''}`,
    publish_succeeded: `Published on ${name}`,
    publish_failed: `Not published on ${name}`,
    publish_retry: `Attempt on ${name} failed, Crier will retry`,
    retry_requested: `Retry on ${name} requested`,
    status_changed: changeOf(metadata),
    media_finalize_succeeded: 'File processed',
    media_finalize_failed: 'File can’t be published',
    linkedin_document_upload_succeeded: 'Document uploaded to LinkedIn',
    linkedin_document_upload_failed: 'Couldn’t upload the document to LinkedIn',
    first_comment_posted: `Comment ${number} posted on ${name}`,
    first_comment_failed: `Couldn’t post comment ${number} on ${name}`,
  };
  const sentence = sentences[event] ?? event.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  if (!error) return sentence;
  const reason = inOurWords(error);
  return `${sentence}: ${event === 'publish_retry' ? withoutAdvice(reason) : reason}`;
}

/** "Publish now" sets the scheduled time to the time of the request. */
const isImmediate = ({ createdAt }: PostLog, scheduledTime: string | null) =>
  scheduledTime !== null && scheduledTime <= createdAt;

const reasons: Record<string, string> = {
  media_changed: 'because its files changed',
  media_backstop: 'because one of its files can’t be published',
  state_mismatch: 'because it couldn’t be published as scheduled',
};

function changeOf({ from, to, reason }: NonNullable<PostLog['metadata']>): string {
  const why = reasons[String(reason)];
  const what = to === 'draft' ? 'Post returned to draft' : `Status changed from ${from} to ${to}`;
  return why ? `${what} ${why}` : what;
}

import { CrierError, type PlatformPost, type PostGroup, type PostLog } from '@crier/client';
import { platformName } from '../../lib/platform-name.ts';

/** The text of the group: that of its first target. */
export const textOf = ({ posts }: Pick<PostGroup, 'posts'>): string => posts[0]?.content ?? '';

export const isMissing = (error: unknown): boolean =>
  error instanceof CrierError && (error.status === 404 || error.code === 'INVALID_POST_GROUP_ID');

/** The connection of a target, as lists name it. */
export const channelIdOf = ({ platform, platformId }: Pick<PlatformPost, 'platform' | 'platformId'>): string =>
  `${platform}-${platformId ?? ''}`;

export const isUnknown = ({ error }: Pick<PlatformPost, 'error'>): boolean => error?.code === 'PUBLISH_OUTCOME_UNKNOWN';

/** When a target was published, which only the log knows. */
export const publishedAt = (logs: readonly PostLog[], targetId: string): string | null =>
  logs.findLast(({ event, postId }) => event === 'publish_succeeded' && postId === targetId)?.createdAt ?? null;

export interface Advice {
  text: string;
  action?: 'reconnect' | 'retry' | 'edit-copy' | 'look';
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
        text: `The same post would fail again. Duplicate it, change what ${name} refuses, and publish the copy.`,
        action: 'edit-copy',
      };
}

const advice: Record<string, (name: string) => Advice> = {
  PUBLISH_OUTCOME_UNKNOWN: (name) => ({
    text: `${name} did not answer in time, so Crier cannot tell whether the post is there. It was not sent a second time, so that it cannot appear twice. Look at the account on ${name}: if the post is missing, duplicate this one and publish the copy.`,
    action: 'look',
  }),
  PLATFORM_AUTH_EXPIRED: (name) => ({
    text: `Connect the ${name} account again, then duplicate this post and publish the copy.`,
    action: 'reconnect',
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
    text: `Duplicate the post, make the text shorter or the files smaller than ${name} allows, and publish the copy.`,
    action: 'edit-copy',
  }),
};

/** An entry of the log as a sentence. */
export function wordsOf({ event, platform, metadata = {}, error, retryCount }: PostLog): string {
  const name = platform ? platformName(platform) : 'the network';
  const number = Number(metadata.index ?? 0) + 1;
  const sentences: Record<string, string> = {
    scheduled: 'The post was scheduled',
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

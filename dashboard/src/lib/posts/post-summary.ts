import { platformName } from '../platform-name.ts';
import { inOurWords } from './messages.ts';

/** A post as lists and the calendar show it. */
export interface PostSummary {
  postGroupId: string;
  /** The beginning of the text. */
  content: string;
  status: 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';
  scheduledTime: string | null;
  /** Unknown for drafts of the composer. */
  createdAt?: string;
  updatedAt?: string;
  platforms: readonly {
    platformId: string;
    platform: string;
    status: string;
    publishedAt?: string | null;
    /** Why it failed. */
    error?: string;
    /** Whether it can be retried now. */
    retryable?: boolean;
  }[];
  /** Increases with every change. Drafts of the composer have none here. */
  version?: number;
  thumbnail: { type: 'image' | 'video' | 'document'; url: string } | null;
  labels?: readonly string[] | undefined;
  /** Whose post it is, in a list of all brands. */
  userId?: string;
}

/** The status to show. While targets are being sent, the API still reports "scheduled". */
export function shownStatus({
  status,
  platforms,
}: Pick<PostSummary, 'status'> & { platforms: readonly { status: string }[] }): string {
  const isRunning = platforms.some((target) => target.status !== 'scheduled' && target.status !== 'draft');
  return status === 'scheduled' && isRunning ? 'publishing' : status;
}

/** Why some targets failed. Null if none did. */
export function reasonOf({ platforms }: Pick<PostSummary, 'platforms'>): string | null {
  const reasons = platforms.flatMap(({ platform, error }) =>
    error ? [named(platformName(platform), inOurWords(error))] : [],
  );
  return reasons.length > 0 ? [...new Set(reasons)].join(' ') : null;
}

/** Most messages already name the network. */
const named = (name: string, reason: string) =>
  new RegExp(`\\b${name}\\b`).test(reason) ? reason : `${name}: ${reason}`;

/** Whether its time can be changed. */
export const isMovable = (post: Pick<PostSummary, 'status' | 'platforms'>): boolean =>
  post.status === 'draft' || shownStatus(post) === 'scheduled';

/** The scheduled time, or else the time of publication. */
export function timeOf({ scheduledTime, platforms, status }: PostSummary): string | null {
  if (status === 'draft' || status === 'scheduled') return scheduledTime;
  const published = platforms.map(({ publishedAt }) => publishedAt).filter((at) => typeof at === 'string');
  return scheduledTime ?? published.sort()[0] ?? null;
}

/** The first words of the text on one line, as a title for the post. */
export function firstWords(content: string, maxLength = 80): string {
  // Lines of dashes separate the parts of a thread.
  const line = content
    .split(/^\s*---\s*$/mu)
    .map((part) => part.replace(/\s+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join(' · ');
  if (!line) return 'No text yet';
  const letters = [...line];
  if (letters.length <= maxLength) return line;
  const cut = letters.slice(0, maxLength).join('');
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > maxLength / 2 ? cut.slice(0, lastSpace) : cut}…`;
}

/** Whether the text contains each of these words, in any order. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** `1 post`, `2 posts`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

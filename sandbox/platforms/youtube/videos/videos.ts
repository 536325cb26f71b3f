import type { JsonObject } from '../../../http/json.ts';
import type { Call, Sandbox } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { Post } from '../../../store/posts.ts';
import { refuse } from '../errors.ts';
import type { Metadata } from './metadata.ts';

/** A video as its owner sees it. It has a post unless processing fails. */
export interface Video {
  readonly id: string;
  readonly accountId: string;
  readonly metadata: Metadata;
  readonly file: StoredFile;
  readonly seconds: number | null;
  readonly uploadedAt: number;
  /** When processing ends. */
  readonly readyAt: number;
  readonly failureReason: string | null;
  readonly rejectionReason: string | null;
  readonly thumbnail: { readonly sha256: string; readonly type: string } | null;
}

export function saveVideo({ store }: Sandbox, video: Video): Video {
  const data = JSON.parse(JSON.stringify(video)) as JsonObject;
  store.records.put('youtube', 'video', video.id, data, video.accountId);
  return video;
}

export function findVideo({ store }: Sandbox, id: string): Video | undefined {
  return read(store.records.find('youtube', 'video', id)?.data);
}

/** Newest first, without videos whose processing failed. */
export function videosOf({ store }: Sandbox, channelId: string): Video[] {
  return store.records
    .list('youtube', 'video', channelId)
    .flatMap(({ data }) => read(data) ?? [])
    .filter((video) => !isBroken(video))
    .reverse();
}

export function ownVideo(call: Call, account: Account, id: string): Video {
  const video = findVideo(call.sandbox, id);
  if (!video) refuse('videoNotFound', { location: 'videoId' });
  if (video.accountId !== account.id) refuse('forbidden');
  return video;
}

export function postOf({ store }: Sandbox, video: Video): Post | undefined {
  return store.posts.find('youtube', video.id);
}

export function isBroken({ failureReason, rejectionReason }: Video): boolean {
  return failureReason !== null || rejectionReason !== null;
}

/** Computed from the clock, so that a scheduled video becomes public without a timer. */
export function privacyOf(sandbox: Sandbox, { metadata }: Video): string {
  const { privacy, publishAt } = metadata;
  return publishAt !== null && publishAt <= sandbox.now() ? 'public' : privacy;
}

export function isVisibleTo(sandbox: Sandbox, video: Video, account: Account): boolean {
  if (video.accountId === account.id) return true;
  return privacyOf(sandbox, video) !== 'private' && !isBroken(video);
}

/** Only `saveVideo` writes these records. */
function read(data: unknown): Video | undefined {
  return data as Video | undefined;
}

import { asText } from '../../fields.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Node } from './selection.ts';
import { timeText } from './times.ts';

/** A video from the first call about it on: bytes may be missing still, and it may never be shown. */
export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly kind: 'video' | 'reel' | 'story';
  /** Null where the client has not said it. */
  readonly fileSize: number | null;
  readonly received: number;
  readonly sha256: string | null;
  readonly description: string;
  readonly title: string;
  /** `published` from the finishing call on, whatever processing makes of it. */
  readonly state: 'open' | 'draft' | 'scheduled' | 'published';
  readonly postId: string | null;
  readonly problem: { readonly code: number; readonly message: string } | null;
  readonly finishedAt: number | null;
}

export const defaultVideoFields = 'updated_time,description,id';

export function newVideo(call: Call, page: Account, kind: Video['kind'], fileSize: number | null): Video {
  return keepVideo(call, {
    id: call.sandbox.store.ids.snowflake(),
    pageId: page.id,
    kind,
    fileSize,
    received: 0,
    sha256: null,
    description: '',
    title: '',
    state: 'open',
    postId: null,
    problem: null,
    finishedAt: null,
  });
}

export function keepVideo(call: Call, video: Video): Video {
  const problem = video.problem && { ...video.problem };
  call.sandbox.store.records.put('facebook', 'video', video.id, { ...video, problem }, video.pageId);
  return video;
}

export function findVideo(call: Call, id: string): Video | undefined {
  const found = call.sandbox.store.records.find('facebook', 'video', id);
  return found && (found.data as unknown as Video);
}

/** Newest first. */
export function videosOf(call: Call, pageId: string): Video[] {
  return call.sandbox.store.records
    .list('facebook', 'video', pageId)
    .map(({ data }) => data as unknown as Video)
    .reverse();
}

export function isShown(call: Call, video: Video): boolean {
  return video.state === 'published' && processing(call, video) === 'complete';
}

/** Reels, and videos too, give their own address without the host. */
export function videoPath(video: Pick<Video, 'id' | 'kind' | 'pageId'>): string {
  if (video.kind === 'story') return `/stories/${video.id}`;
  return video.kind === 'video' ? `/${video.pageId}/videos/${video.id}/` : `/reel/${video.id}/`;
}

export function videoNode(call: Call, video: Video): Node {
  const time = timeText(video.finishedAt ?? call.sandbox.now());
  // Looked at once, so that an answer does not contradict itself when the work ends in between.
  const phase = processing(call, video);
  const shown = video.state === 'published' && phase === 'complete';
  return {
    id: video.id,
    description: video.description === '' ? undefined : video.description,
    title: video.title === '' ? undefined : video.title,
    created_time: time,
    updated_time: time,
    permalink_url: videoPath(video),
    post_id: shown ? asText(video.postId) : undefined,
    published: shown,
    status: () => statusOf(video, phase),
    source: undefined,
    length: undefined,
    picture: undefined,
  };
}

function statusOf(video: Video, phase: ReturnType<typeof processing>): JsonObject {
  const isUploaded = video.sha256 !== null;
  const isDone = video.state !== 'open' && phase === 'complete';
  const error = video.problem ?? { code: 1363047, message: 'There was a problem processing your video file.' };
  return {
    video_status: phase === 'error' ? 'error' : isDone ? 'ready' : overall(video),
    uploading_phase: {
      status: isUploaded ? 'complete' : video.received > 0 ? 'in_progress' : 'not_started',
      // Spelled one way in answers and the other way in the documentation.
      bytes_transferred: video.received,
      bytes_transfered: video.received,
      ...(video.fileSize !== null && { source_file_size: video.fileSize }),
    },
    processing_phase: {
      status: phase,
      ...(phase === 'error' && { errors: [{ ...error }], error: { message: error.message } }),
    },
    publishing_phase: isDone
      ? { status: 'complete', publish_status: video.state, publish_time: timeText(video.finishedAt ?? 0) }
      : { status: 'not_started' },
  };
}

function overall(video: Video): string {
  if (video.state !== 'open') return 'processing';
  return video.sha256 === null ? 'uploading' : 'upload_complete';
}

function processing(call: Call, video: Video): 'not_started' | 'in_progress' | 'complete' | 'error' {
  if (video.state === 'open') return 'not_started';
  const { media } = call.sandbox.store;
  const found = media.find('facebook', video.id);
  // Only what is to be shown is processed here.
  const state = found ? media.state(found) : 'ready';
  if (state === 'processing') return 'in_progress';
  return state === 'failed' ? 'error' : 'complete';
}

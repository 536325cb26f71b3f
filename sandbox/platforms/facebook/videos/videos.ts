import { asText } from '../../../http/coerce.ts';
import type { JsonObject } from '../../../http/json.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { Node } from '../field-selection.ts';
import { formatTime } from '../time-format.ts';

/** A video exists from the first call on. Its bytes may still be incomplete, and it may never be published. */
export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly fileSize: number;
  readonly received: number;
  readonly sha256: string | null;
  readonly description: string;
  readonly title: string;
  /** `published` is set by the finishing call, even when processing fails later. */
  readonly state: 'open' | 'draft' | 'published';
  readonly postId: string | null;
  readonly problem: { readonly code: number; readonly message: string } | null;
  readonly finishedAt: number | null;
}

export const defaultVideoFields = 'updated_time,description,id';

export function newVideo(call: Call, page: Account, fileSize: number): Video {
  return saveVideo(call, {
    id: call.sandbox.store.ids.snowflake(),
    pageId: page.id,
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

export function saveVideo(call: Call, video: Video): Video {
  const problem = video.problem && { ...video.problem };
  call.sandbox.store.records.put('facebook', 'video', video.id, { ...video, problem }, video.pageId);
  return video;
}

export function findVideo(call: Call, id: string): Video | undefined {
  const found = call.sandbox.store.records.find('facebook', 'video', id);
  return found && (found.data as unknown as Video);
}

/** The API returns the address of a video without the host. */
export function videoPath({ id, pageId }: Pick<Video, 'id' | 'pageId'>): string {
  return `/${pageId}/videos/${id}/`;
}

export function videoNode(call: Call, video: Video): Node {
  const time = formatTime(video.finishedAt ?? call.sandbox.now());
  // The phase is read once, so that the response stays consistent when processing ends in between.
  const phase = processing(call, video);
  const isShown = video.state === 'published' && phase === 'complete';
  return {
    id: video.id,
    description: video.description === '' ? undefined : video.description,
    title: video.title === '' ? undefined : video.title,
    created_time: time,
    updated_time: time,
    permalink_url: videoPath(video),
    post_id: isShown ? asText(video.postId) : undefined,
    published: isShown,
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
      // The API uses the first spelling; the documentation uses the second.
      bytes_transferred: video.received,
      bytes_transfered: video.received,
      source_file_size: video.fileSize,
    },
    processing_phase: {
      status: phase,
      ...(phase === 'error' && { errors: [{ ...error }], error: { message: error.message } }),
    },
    publishing_phase: isDone
      ? { status: 'complete', publish_status: video.state, publish_time: formatTime(video.finishedAt ?? 0) }
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
  // The sandbox processes only videos that will be published.
  const state = found ? media.state(found) : 'ready';
  if (state === 'processing') return 'in_progress';
  return state === 'failed' ? 'error' : 'complete';
}

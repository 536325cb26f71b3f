import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { isStillAllowed } from '../../auth/api-keys/live-credential.ts';
import { requireEditableGroup } from '../change-media.ts';
import * as examples from '../examples.ts';
import * as shape from '../schema.ts';
import { acceptForms, formBytes, readForm } from './multipart.ts';
import { attachVideo, inspectVideo, storeVideo } from './process-video.ts';
import { type ProgressEvent, type ProgressOptions, type UploadProgress, uploadProgress } from './progress.ts';
import { shareProgress } from './share-progress.ts';
import { coverKind, slackBytes, spoolImage, storeThumbnail, type ThumbnailKind, thumbnailKind } from './thumbnails.ts';

const tags = ['Media'];
const consumes = ['multipart/form-data'];
const fieldProblems = ['upload_group_id_missing', 'upload_group_id_invalid'] as const satisfies ProblemKey[];
const storageProblems = ['storage_limit_reached', 'no_room', 'storage_unavailable'] as const satisfies ProblemKey[];
const thumbnailProblems = (kind: ThumbnailKind): ProblemKey[] => [
  ...fieldProblems,
  ...Object.values(kind.problems),
  'post_group_not_found',
  'probe_busy',
  'probe_timeout',
  ...storageProblems,
];
/** Videos received at the same time by this process. The others of an owner wait. */
const receivings = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 2 });

/** Forms with an image, which is on the disk of this process until its form ends. */
const imageForms = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 2 });

/** While it waits, the client cannot send anything, and would be disconnected after 30 seconds. */
const longestWaitMs = 10_000;

export interface UploadOptions extends ProgressOptions {
  maxBytes?: number;
  /** How long a video waits for others of the owner. */
  turnMs?: number;
}

/**
 * Routes for API keys: thumbnails and covers of videos. They are stored until update-post refers to them in the
 * settings.
 */
export async function thumbnailRoutes(server: Server, app: App) {
  await server.register(async (inner) => {
    const scope = inner as unknown as Server;
    await acceptForms(scope);
    scope.post(
      thumbnailKind.uploadPath,
      {
        schema: {
          operationId: 'uploadYoutubeThumbnail',
          summary: 'Upload a thumbnail for a YouTube video',
          description:
            'Stores the image. To use it, set `platformSettings.youtube.thumbnail` to the returned `mediaId` and `url` ' +
            'with `update-post`. YouTube accepts thumbnails only from verified channels.',
          tags,
          example: examples.uploadYoutubeThumbnail,
          consumes,
          body: shape.ThumbnailForm,
          response: { 200: shape.ThumbnailUploaded },
        },
        config: {
          scope: 'media',
          upload: true,
          failure: 'thumbnail_upload_failed',
          problems: thumbnailProblems(thumbnailKind),
        },
      },
      async (request) => {
        const thumbnail = await receiveThumbnail(app, request, thumbnailKind);
        return { success: true as const, thumbnail };
      },
    );

    scope.post(
      coverKind.uploadPath,
      {
        schema: {
          operationId: 'uploadInstagramCover',
          summary: 'Upload a cover for an Instagram Reel',
          description:
            'Stores the image as a JPEG. To use it, set `platformSettings.instagram.coverUrl` to the returned `url` with ' +
            '`update-post`.',
          tags,
          example: examples.uploadInstagramCover,
          consumes,
          body: shape.CoverForm,
          response: { 200: shape.CoverUploaded },
        },
        config: {
          scope: 'media',
          upload: true,
          failure: 'cover_upload_failed',
          problems: thumbnailProblems(coverKind),
        },
      },
      async (request) => {
        const cover = await receiveThumbnail(app, request, coverKind);
        const message =
          'Cover uploaded. Set platformSettings.instagram.coverUrl to its url with update-post to use it.';
        return { success: true as const, cover, message };
      },
    );
  });
}

async function receiveThumbnail(app: App, request: FastifyRequest, kind: ThumbnailKind) {
  using turn = await imageForms.acquire(request.who.ownerId, longestWaitMs);
  if (!turn) throw new Problem('probe_busy');
  const fields = new Map<string, string>();
  await using image = await readForm(request, {
    fileField: kind.field,
    maxBytes: kind.limit.maxBytes + slackBytes + formBytes,
    tooLarge: kind.problems.tooLarge,
    fields,
    receive: (file) => spoolImage(file, kind),
  });
  const postGroupId = groupIdIn(fields);
  if (!image) throw new Problem(kind.problems.missing);
  return await storeThumbnail(app, request.who, postGroupId, kind, image);
}

/** Routes for API keys and sessions: video uploads and their progress. */
export async function videoRoutes(server: Server, app: App, options: UploadOptions = {}) {
  const board = uploadProgress(options);
  const report = shareProgress(app, board);
  server.addHook('preClose', async () => board.close());
  await server.register(async (inner) => {
    const scope = inner as unknown as Server;
    await acceptForms(scope);
    scope.post(
      '/process-video',
      {
        schema: {
          operationId: 'processVideo',
          summary: 'Upload a video in a form',
          description:
            'Uploads a video through the service, attaches it to the post and checks it. A scheduled post becomes a draft again. For large files, `get-upload-url` is faster.',
          tags,
          example: examples.processVideo,
          consumes,
          body: shape.VideoForm,
          response: { 200: shape.VideoProcessed },
        },
        config: {
          scope: 'media',
          upload: true,
          failure: 'video_process_failed',
          problems: [
            ...fieldProblems,
            'video_session_invalid',
            'video_missing',
            'video_format_refused',
            'video_too_large',
            'post_group_not_found',
            'media_not_editable',
            'media_publish_started',
            'media_too_many',
            'media_file_not_found',
            'upload_limit_reached',
            'draft_limit_reached',
            'video_uploads_busy',
            ...storageProblems,
          ],
        },
      },
      (request) => processVideo(app, report, request, options),
    );
  });

  server.get(
    '/processing-progress/:sessionId',
    {
      // A HEAD request would subscribe to events without reading them.
      exposeHeadRoute: false,
      schema: {
        operationId: 'followVideoProcessing',
        summary: 'Follow the upload of a video',
        description:
          'Streams server-sent events about an upload with `process-video` until it is complete or has failed.',
        tags,
        example: examples.followVideoProcessing,
        params: shape.ProgressPath,
        produces: ['text/event-stream'],
        response: { 200: shape.ProgressEvents },
      },
      config: { scope: 'media', failure: 'progress_failed', problems: ['video_session_invalid', 'too_many_streams'] },
    },
    ({ who, params }, reply) => {
      const events = board.listen(who.ownerId, sessionName(who, params.sessionId), () => isStillAllowed(app, who));
      reply
        .header('content-type', 'text/event-stream')
        .header('cache-control', 'no-store')
        // Without this, some proxies buffer the events.
        .header('x-accel-buffering', 'no')
        .send(events as never);
    },
  );
}

async function processVideo(
  app: App,
  share: UploadProgress['report'],
  request: FastifyRequest,
  options: UploadOptions,
) {
  const { who } = request;
  const { maxBytes = mediaLimits.videoBytes, turnMs = longestWaitMs } = options;
  const fields = new Map<string, string>();
  let begun: string | null = null;
  const session = () => (begun ??= sessionIn(fields));
  const report = (event: ProgressEvent) => share(sessionName(who, session()), event);
  try {
    await using video = await readForm(request, {
      fileField: 'video',
      maxBytes: maxBytes + formBytes,
      tooLarge: 'video_too_large',
      fields,
      receive: async ({ name, bytes }) => {
        session();
        // Reject a post that cannot be edited before receiving its video.
        if (fields.has('postGroupId')) await requireEditableGroup(app, who, groupIdIn(fields), 'upload media');
        using turn = await receivings.acquire(who.ownerId, turnMs);
        if (!turn) throw new Problem('video_uploads_busy', { retryAfterSec: 30 });
        const total = Number(request.headers['content-length'] ?? 0);
        const counted = counting(bytes, total, (percent) => report({ event: 'progress', data: { percent } }));
        // Await here, so that the turn is held until the video is stored.
        return await storeVideo(app, who, { name, bytes: counted }, { maxBytes, announced: total || null });
      },
    });
    const postGroupId = groupIdIn(fields);
    if (!video) throw new Problem('video_missing');
    const { mediaId, url, demoted } = await attachVideo(app, who, postGroupId, video);
    const verdict = await inspectVideo(app, who, mediaId);
    if (!verdict) throw new Problem('media_file_not_found');
    if (verdict.status === 'failed') report({ event: 'error', data: { code: verdict.code } });
    else report({ event: 'done', data: { mediaId } });
    return { success: true as const, sessionId: session(), mediaId, url, ...demoted };
  } catch (error) {
    const isSessionKnown = begun !== null || (fields.has('sessionId') && shape.isSessionId(fields.get('sessionId')!));
    if (isSessionKnown) report({ event: 'error', data: { code: codeOf(error) } });
    throw error;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof StorageError) return error.code;
  const { body, key } = error instanceof Problem ? error : new Problem('video_process_failed');
  return String(body.code ?? key.toUpperCase());
}

/** Two users may choose the same id, and each must see only their own upload. */
const sessionName = ({ userId }: { userId: string }, sessionId: string) => `${userId} ${sessionId.toLowerCase()}`;

function sessionIn(fields: Map<string, string>): string {
  const id = fields.get('sessionId');
  if (id !== undefined && !shape.isSessionId(id)) throw new Problem('video_session_invalid');
  return id ?? randomUUID();
}

function groupIdIn(fields: Map<string, string>): string {
  const id = fields.get('postGroupId') ?? '';
  if (id === '') throw new Problem('upload_group_id_missing');
  if (!isId(id)) throw new Problem('upload_group_id_invalid');
  return id.toLowerCase();
}

/** Reports each percent once, up to 99. `done` represents 100. */
async function* counting(source: AsyncIterable<Uint8Array>, total: number, report: (percent: number) => void) {
  let [bytes, reported] = [0, -1];
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    const percent = total > 0 ? Math.min(99, Math.floor((100 * bytes) / total)) : 0;
    if (percent > reported) report(percent);
    reported = Math.max(reported, percent);
    yield chunk;
  }
}

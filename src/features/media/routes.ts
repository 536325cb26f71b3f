import type { App } from '../../app.ts';
import type { ProblemKey } from '../../foundation/errors/index.ts';
import { IdempotencyHeader, once, retryable } from '../../foundation/http/idempotency.ts';
import type { Server } from '../../foundation/http/server.ts';
import { requireActingSession } from '../auth/access/api-key-or-session.ts';
import { PostUpdated } from '../posts/schema.ts';
import { type StoredEdit, wholeAnswer } from '../posts/update/edit-answer.ts';
import { attachMedia, identityOf, readReference } from './attach-media.ts';
import * as examples from './examples.ts';
import { pruneReference, removeMedia, reorderMedia } from './remove-media.ts';
import * as shape from './schema.ts';
import { updateMedia } from './update-media.ts';
import { createUpload, requireContentType } from './uploads/upload-url.ts';

const tags = ['Media'];
const stateProblems = [
  'post_group_not_found',
  'media_not_editable',
  'media_publish_started',
  'draft_limit_reached',
] as const satisfies ProblemKey[];

const referenceProblems = [
  'attach_fields_unknown',
  'attach_file_invalid',
  'attach_file_fields_unknown',
  'attach_url_missing',
  'attach_url_refused',
  'attach_file_id_invalid',
  'attach_mime_type_invalid',
  'attach_file_name_invalid',
  'attach_name_invalid',
  'attach_name_unusable',
  'alt_text_invalid',
  'media_shared_invalid',
  'media_too_many',
  'platform_connection_invalid',
  'media_url_rate_limited',
  'media_ingestion_failed',
  'storage_limit_reached',
  'no_room',
  'storage_unavailable',
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_superseded',
  'idempotency_conflict',
] as const satisfies ProblemKey[];

/** Routes for API keys. */
export function attachmentRoutes(server: Server, app: App) {
  server.post(
    '/get-upload-url',
    {
      schema: {
        operationId: 'getUploadUrl',
        summary: 'Get an upload URL',
        description:
          'Attaches a new file to the post and returns the URL to which you PUT its bytes. A scheduled post becomes a draft again, so schedule it with `update-post` after the upload.',
        tags,
        example: examples.getUploadUrl,
        body: shape.GetUploadUrl,
        response: { 200: shape.UploadUrl },
      },
      config: {
        scope: 'media',
        failure: 'upload_url_failed',
        problems: [
          'upload_fields_missing',
          'upload_group_id_invalid',
          'upload_name_too_long',
          'upload_type_refused',
          'upload_media_type_invalid',
          'alt_text_invalid',
          'media_shared_invalid',
          'media_too_many',
          'upload_limit_reached',
          'storage_unavailable',
          ...stateProblems,
        ],
      },
    },
    async ({ who, body }) => {
      const upload = await createUpload(app, who, uploadOf(body));
      const { uploadUrl, fileUrl, mediaId, demoted } = upload;
      return { success: true as const, uploadUrl, fileUrl, mediaId, ...demoted };
    },
  );

  server.post(
    '/attach-media/:postGroupId',
    {
      schema: {
        operationId: 'attachMedia',
        summary: 'Attach a file from a URL',
        description: 'Downloads the file and attaches it to the post. The post becomes a draft.',
        tags,
        example: examples.attachMedia,
        headers: IdempotencyHeader,
        params: shape.PostPath,
        body: shape.AttachMedia,
        response: { 200: PostUpdated },
      },
      config: {
        scope: 'media',
        failure: 'post_update_failed',
        problems: ['post_group_id_invalid', ...stateProblems, ...referenceProblems],
      },
    },
    async (request) => {
      const { who, params, body } = request;
      const id = params.postGroupId.toLowerCase();
      const reference = readReference(app, body);
      const retry = retryable(request, `attach-media ${id}`);
      const sent = retry && { ...retry, body: identityOf(reference) };
      const answer = await once<StoredEdit>(app, sent, (claimedKey) =>
        attachMedia(app, who, id, reference, claimedKey),
      );
      return wholeAnswer(app.db, who.userId, answer, {});
    },
  );

  server.patch(
    '/media/:mediaId',
    {
      schema: {
        operationId: 'updateMedia',
        summary: 'Change the alt text, name or labels of a file',
        description:
          'A scheduled post stays scheduled if its platforms accept the alt text, and becomes a draft again if `shared` changes. A change of a file in the library does not affect posts that already use it.',
        tags,
        example: examples.updateMedia,
        params: shape.MediaPath,
        body: shape.UpdateMedia,
        response: { 200: shape.MediaUpdated },
      },
      config: {
        scope: 'media',
        failure: 'media_update_failed',
        problems: [
          'media_id_invalid',
          'alt_text_invalid',
          'media_shared_invalid',
          'media_shared_without_post',
          'media_name_invalid',
          'labels_invalid',
          'media_labels_too_many',
          'media_not_found',
          'validation_failed',
          'post_group_not_found',
          'media_not_editable',
          'media_publish_started',
          'draft_limit_reached',
        ],
      },
    },
    ({ who, params, body }) => updateMedia(app, who, params.mediaId.toLowerCase(), body),
  );

  server.delete(
    '/media/:mediaId',
    {
      schema: {
        operationId: 'deleteMedia',
        summary: 'Delete a file',
        description:
          'Removes the file from its post and from the storage. A scheduled post becomes a draft again. A file in the library is removed from the library only: posts that use it keep it, and it is removed from the storage with the last of them.',
        tags,
        example: examples.deleteMedia,
        params: shape.MediaPath,
        response: { 200: shape.MediaRemoved },
      },
      config: {
        scope: 'media',
        failure: 'media_delete_failed',
        problems: ['media_id_invalid', 'media_not_found', ...stateProblems],
      },
    },
    ({ who, params }) => removeMedia(app, who, params.mediaId.toLowerCase()),
  );

  server.delete(
    '/post/:postGroupId/media/:mediaId',
    {
      schema: {
        operationId: 'pruneMediaReference',
        summary: 'Remove a reference to a missing file',
        description:
          'Repairs a post that lists a file that no longer exists (`MEDIA_REFERENCE_MISSING`). A scheduled post becomes ' +
          'a draft again. To delete a file that exists, use `DELETE /media/{mediaId}`.',
        tags,
        example: examples.pruneMediaReference,
        params: shape.ReferencePath,
        response: { 200: shape.ReferencePruned },
      },
      config: {
        scope: 'media',
        failure: 'media_prune_failed',
        problems: [
          'post_group_id_invalid',
          'media_id_invalid',
          'media_reference_not_found',
          'media_reference_valid',
          ...stateProblems,
        ],
      },
    },
    ({ who, params }) => pruneReference(app, who, params.postGroupId.toLowerCase(), params.mediaId.toLowerCase()),
  );
}

/** Routes for dashboard sessions. */
export function attachmentSessionRoutes(server: Server, app: App) {
  const onRequest = requireActingSession(app);
  server.post(
    '/media/generate-upload-url',
    {
      onRequest,
      schema: {
        operationId: 'generateUploadUrl',
        summary: 'Get an upload URL in the dashboard',
        description: 'Works like `get-upload-url`, but for a session instead of an API key.',
        tags,
        example: examples.generateUploadUrl,
        body: shape.GenerateUploadUrl,
        response: { 200: shape.GeneratedUploadUrl },
      },
      config: {
        failure: 'upload_url_failed',
        problems: [
          'upload_name_and_type_missing',
          'upload_group_id_missing',
          'upload_group_id_invalid',
          'upload_name_too_long',
          'upload_type_refused',
          'upload_media_type_invalid',
          'alt_text_invalid',
          'media_shared_invalid',
          'media_too_many',
          'upload_limit_reached',
          'storage_unavailable',
          ...stateProblems,
        ],
      },
    },
    async ({ who, body }) => {
      const upload = await createUpload(app, who, uploadOf(body));
      return { uploadUrl: upload.uploadUrl, key: upload.key, mediaId: upload.mediaId, ...upload.demoted };
    },
  );

  server.put(
    '/post/:postGroupId/media-order',
    {
      onRequest,
      schema: {
        operationId: 'reorderMedia',
        summary: 'Reorder the files of a post',
        description: 'Sets the order in which the files are published. A scheduled post becomes a draft again.',
        tags,
        example: examples.reorderMedia,
        params: shape.PostPath,
        body: shape.MediaOrder,
        response: { 200: shape.MediaReordered },
      },
      config: {
        failure: 'media_reorder_failed',
        problems: ['post_group_id_invalid', 'media_order_invalid', ...stateProblems],
      },
    },
    ({ who, params, body }) => reorderMedia(app, who, params.postGroupId.toLowerCase(), body.mediaIds),
  );
}

interface UploadBody {
  fileName: string;
  contentType: string;
  postGroupId: string;
  type?: 'image' | 'video' | 'document' | null | undefined;
  altText: string | null;
  shared: boolean;
}

const uploadOf = ({ fileName, contentType, postGroupId, type, altText, shared }: UploadBody) => ({
  fileName,
  contentType: requireContentType(contentType),
  postGroupId: postGroupId.toLowerCase(),
  ...(type && { type }),
  altText,
  shared,
});

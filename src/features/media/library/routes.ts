import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import * as shape from '../schema.ts';
import { createLibraryUpload, requireContentType } from '../uploads/upload-url.ts';
import { attachFromLibrary } from './attach-from-library.ts';
import * as examples from './examples.ts';

const tags = ['Media'];

export function libraryRoutes(server: Server, app: App) {
  server.post(
    '/media',
    {
      schema: {
        operationId: 'uploadToLibrary',
        summary: 'Upload a file without a post',
        description:
          'Returns the URL to which you PUT the bytes of a new file in the library. After the upload, call `complete-media`. Then attach the file to any number of posts with `POST /post/{postGroupId}/media`.',
        tags,
        example: examples.uploadToLibrary,
        body: shape.UploadToLibrary,
        response: { 200: shape.LibraryUploadUrl },
      },
      config: {
        scope: 'media',
        failure: 'upload_url_failed',
        problems: [
          'upload_name_and_type_missing',
          'upload_name_too_long',
          'upload_type_refused',
          'alt_text_invalid',
          'labels_invalid',
          'media_labels_too_many',
          'library_limit_reached',
          'upload_limit_reached',
          'storage_unavailable',
        ],
      },
    },
    ({ who, body }) => createLibraryUpload(app, who, { ...body, contentType: requireContentType(body.contentType) }),
  );

  server.post(
    '/post/:postGroupId/media',
    {
      schema: {
        operationId: 'attachFromLibrary',
        summary: 'Attach files from the library',
        description:
          'Appends files from `GET /media` to the post, without storing them again. Deleting a file from one post does not affect the others. A scheduled post becomes a draft again.',
        tags,
        example: examples.attachFromLibrary,
        params: shape.PostPath,
        body: shape.AttachFromLibrary,
        response: { 200: shape.AttachedFromLibrary },
      },
      config: {
        scope: 'media',
        failure: 'library_attach_failed',
        problems: [
          'post_group_id_invalid',
          'media_ids_invalid',
          'media_id_invalid',
          'media_shared_invalid',
          'media_not_found',
          'media_not_ready',
          'media_too_many',
          'post_group_not_found',
          'media_not_editable',
          'media_publish_started',
          'draft_limit_reached',
        ],
      },
    },
    ({ who, params, body }) =>
      attachFromLibrary(
        app,
        who,
        params.postGroupId.toLowerCase(),
        body.mediaIds.map((id) => id.toLowerCase()),
        body.shared,
      ),
  );
}

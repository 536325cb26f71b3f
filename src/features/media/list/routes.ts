import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { completeMedia } from '../../files/files.ts';
import { ListMedia, MediaCompleted, MediaFilePath, MediaList } from '../../files/schema.ts';
import * as examples from './examples.ts';
import { listMedia } from './list-media.ts';

export function mediaRoutes(server: Server, app: App) {
  server.get(
    '/media',
    {
      schema: {
        operationId: 'listMedia',
        summary: 'List files',
        description:
          'Returns one page of the files of the library and of all posts, newest first. Read the next page while ' +
          '`pagination.hasNextPage` is true.',
        tags: ['Media'],
        example: examples.listMedia,
        querystring: ListMedia,
        response: { 200: MediaList },
      },
      config: {
        scope: 'media',
        failure: 'media_list_failed',
        problems: ['media_list_type_invalid', 'media_search_invalid', 'list_label_invalid'],
      },
    },
    ({ who, query }) => listMedia(app, who, query),
  );

  server.post(
    '/complete-media/:mediaFileId',
    {
      schema: {
        operationId: 'completeMedia',
        summary: 'Check an uploaded file',
        description:
          'Inspects the stored bytes, so that you know early if a file cannot be published. This call is optional, because scheduling a post also checks its files.',
        tags: ['Media'],
        example: examples.completeMedia,
        params: MediaFilePath,
        response: { 200: MediaCompleted },
      },
      config: {
        scope: 'media',
        failure: 'media_complete_failed',
        bareProblems: true,
        problems: [
          'media_file_id_invalid',
          'media_file_not_found',
          'media_type_indeterminate',
          'probe_failed',
          'probe_timeout',
          'media_validation_failed',
          'storage_limit_reached',
          'media_upload_missing',
          'media_file_missing_url',
          'media_upload_pending',
          'probe_busy',
          'probe_download_failed',
          'probe_version_changed',
          'probe_version_unverified',
          'media_state_persist_failed',
          'media_file_race',
        ],
      },
    },
    ({ who, params }) => completeMedia(app, who, params.mediaFileId.toLowerCase()),
  );
}

import type { App } from '../../../app.ts';
import { IdempotencyHeader, once, retryable } from '../../../foundation/http/idempotency.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { PostGroupPath } from '../../posts/schema.ts';
import * as examples from './examples.ts';
import { retryPost } from './retry-post.ts';
import { PostRetried } from './schema.ts';

export function publishingRoutes(server: Server, app: App) {
  server.post(
    '/retry-post/:postGroupId',
    {
      schema: {
        operationId: 'retryPost',
        summary: 'Retry a failed post',
        description:
          'Retries each platform post whose `error` is `retryable`, and those that failed with `PLATFORM_AUTH_EXPIRED` once their account is reconnected. Completed steps are not repeated, and posts with an unknown outcome are never retried. A second call changes nothing. The limits of `publishNow` apply.',
        tags: ['Posts'],
        example: examples.retryPost,
        headers: IdempotencyHeader,
        params: PostGroupPath,
        response: { 200: PostRetried },
      },
      config: {
        failure: 'retry_failed',
        problems: [
          'post_group_not_found',
          'post_group_id_invalid',
          'retry_not_failed',
          'retry_not_possible',
          'retry_outcome_unknown',
          'retry_disconnected',
          'platform_connection_invalid',
          'platform_not_available',
          'connections_over_limit',
          'post_limit_reached',
          'schedule_media_missing',
          'schedule_media_invalid',
          'schedule_media_reference',
          'schedule_upload_pending',
          'schedule_media_pending',
          'idempotency_key_invalid',
          'idempotency_in_flight',
          'idempotency_superseded',
          'idempotency_conflict',
          'idempotency_too_complex',
        ],
      },
    },
    (request) => {
      const id = request.params.postGroupId.toLowerCase();
      return once(app, retryable(request, `retry-post ${id}`), (claimedKey) =>
        retryPost(app, request.who, id, claimedKey),
      );
    },
  );
}

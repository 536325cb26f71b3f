import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { Success } from '../../foundation/http/shapes.ts';
import { requireActingSession } from '../auth/access/api-key-or-session.ts';
import { listDrafts, readDraft, removeDraft, saveDraft } from './drafts.ts';
import * as examples from './examples.ts';
import * as shape from './schema.ts';

/** Unfinished posts that `create-post` would still reject. */
export function draftRoutes(server: Server, app: App) {
  const tags = ['Dashboard'];
  const onRequest = requireActingSession(app);

  server.get(
    '/dashboard/drafts',
    {
      onRequest,
      schema: {
        operationId: 'listDrafts',
        summary: 'List composer drafts',
        description:
          'Lists drafts from the composer, newest first. Drafts that are already stored as posts are in `list-posts`.',
        tags,
        example: examples.listDrafts,
        querystring: shape.ListDrafts,
        response: { 200: shape.DraftList },
      },
    },
    ({ who, query }) => listDrafts(app, who, query),
  );

  server.get(
    '/dashboard/drafts/:draftId',
    {
      onRequest,
      schema: {
        operationId: 'getDraft',
        summary: 'Read a composer draft',
        description: 'Returns the draft and its version, which the next save requires.',
        tags,
        example: examples.getDraft,
        params: shape.DraftParams,
        response: { 200: shape.Draft },
      },
      config: { problems: ['composer_draft_id_invalid', 'composer_draft_not_found'] },
    },
    async ({ who, params }) => shape.presentDraft(await readDraft(app, who.userId, params.draftId)),
  );

  server.put(
    '/dashboard/drafts/:draftId',
    {
      onRequest,
      schema: {
        operationId: 'saveDraft',
        summary: 'Save a composer draft',
        description:
          'Replaces the version that you last read. If a newer version is stored, nothing is saved, and `current` in the error is the stored draft. You can safely repeat the call.',
        tags,
        example: examples.saveDraft,
        params: shape.DraftParams,
        body: shape.SaveDraft,
        response: { 200: shape.Draft },
      },
      config: {
        problems: [
          'composer_draft_id_invalid',
          'composer_draft_version_invalid',
          'composer_draft_invalid',
          'composer_draft_too_deep',
          'composer_draft_too_large',
          'composer_draft_limit_reached',
          'draft_changed',
        ],
      },
    },
    async ({ who, params, body }) => shape.presentDraft(await saveDraft(app, who, params.draftId, body)),
  );

  server.delete(
    '/dashboard/drafts/:draftId',
    {
      onRequest,
      schema: {
        operationId: 'deleteDraft',
        summary: 'Delete a composer draft',
        description: 'Deletes the draft, whatever its version.',
        tags,
        example: examples.deleteDraft,
        params: shape.DraftParams,
        response: { 200: Success },
      },
      config: { problems: ['composer_draft_id_invalid', 'composer_draft_not_found'] },
    },
    async ({ who, params }) => {
      await removeDraft(app, who.userId, params.draftId);
      return { success: true as const };
    },
  );
}

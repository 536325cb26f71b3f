import { z } from 'zod';
import { shownAs } from '../../foundation/http/openapi/schemas.ts';
import { Pagination, pageNumber, pageSize } from '../../foundation/http/pages.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import type { DraftRow } from './queries.ts';

export const DraftParams = z.object({
  draftId: z
    .string()
    .regex(/^([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i, 'composer_draft_id_invalid')
    .toLowerCase()
    .describe('Chosen by the client: 24 hex digits, or a UUID.'),
});

export const ListDrafts = z.object({ page: pageNumber, limit: pageSize('Drafts per page.') });

/** Drafts can have many fields. None of them is validated, so that lists of drafts are fast. */
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const anyObject = (error: string) =>
  shownAs(z.custom<Record<string, unknown>>(isObject, { error }), z.record(z.string(), z.unknown()));

export const Draft = z
  .object({
    _id: z.string(),
    version: z.number().describe('Send it with the next save.'),
    draft: anyObject('not an object').describe('As it was saved.'),
    updatedAt: timestamp,
  })
  .meta({
    id: 'ComposerDraft',
    description: 'Content that a user has started to write and that is not stored as a post yet.',
  });

export const DraftList = z.object({ drafts: z.array(Draft), pagination: Pagination });

export const SaveDraft = z.object({
  version: z
    .int({ error: 'composer_draft_version_invalid' })
    .min(0, 'composer_draft_version_invalid')
    .max(2_147_483_646, 'composer_draft_version_invalid')
    .describe('The version that you last read. 0: the draft is new.'),
  draft: anyObject('composer_draft_invalid').describe('Any JSON object of at most 64 kB.'),
});

export const presentDraft = ({ id, version, draft, updatedAt }: DraftRow): z.infer<typeof Draft> => ({
  _id: id,
  version,
  draft,
  updatedAt: updatedAt.toISOString(),
});

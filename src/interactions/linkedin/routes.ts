import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { Problem, type ProblemKey } from '../../errors.ts';
import type { Server } from '../../http/fastify.ts';
import { isStorable } from '../../http/storable-body.ts';
import { createComment, deleteComment } from './comments.ts';
import { listMentionables } from './mentionables.ts';
import { createReaction, deleteReaction } from './reactions.ts';
import { createReshare } from './reshare.ts';
import * as shape from './schema.ts';

const tags = ['LinkedIn'];
const description = "A refusal of LinkedIn's own is passed on with LinkedIn's status.";
const common = [
  'linkedin_platform_id_not_string',
  'linkedin_platform_id_invalid',
  'linkedin_connection_not_found',
  'linkedin_token_expired',
  'linkedin_rate_limited',
  'linkedin_request_timeout',
] as const satisfies ProblemKey[];

/** What can be done under posts at LinkedIn (contract 4.2 to 4.6), and who can be mentioned there. */
export function linkedinRoutes(server: Server, app: App) {
  server.post(
    '/linkedin-comments',
    {
      schema: {
        operationId: 'createLinkedinComment',
        summary: 'Comment on a LinkedIn post, or answer a comment',
        description,
        tags,
        body: shape.NewComment,
        response: { 201: shape.CommentCreated },
      },
      config: { failure: 'linkedin_comment_failed', problems: [...common, ...commentProblems] },
    },
    async ({ who, body }, reply) => reply.code(201).send(await createComment(app, who, body)),
  );

  server.delete(
    '/linkedin-comments',
    {
      onRequest: [allowNoBody, checkQuery],
      schema: {
        operationId: 'deleteLinkedinComment',
        summary: 'Delete a comment; the fields are in the body or in the query',
        description,
        tags,
        querystring: shape.CommentQuery,
        body: shape.CommentToDelete,
        response: { 200: shape.CommentDeleted },
      },
      config: {
        failure: 'linkedin_comment_delete_failed',
        problems: [
          ...common,
          'linkedin_comment_delete_fields_missing',
          'linkedin_post_urn_invalid',
          'linkedin_comment_id_invalid',
        ],
      },
    },
    ({ who, query, body }) => deleteComment(app, who, { ...query, ...body }),
  );

  server.post(
    '/linkedin-reactions',
    {
      schema: {
        operationId: 'createLinkedinReaction',
        summary: 'React to a LinkedIn post',
        description,
        tags,
        body: shape.NewReaction,
        response: { 201: shape.ReactionCreated },
      },
      config: {
        failure: 'linkedin_reaction_failed',
        problems: [
          ...common,
          'linkedin_reaction_fields_missing',
          'linkedin_post_urn_invalid',
          'linkedin_reaction_type_invalid',
          'linkedin_reaction_exists',
        ],
      },
    },
    async ({ who, body }, reply) => reply.code(201).send(await createReaction(app, who, body)),
  );

  server.delete(
    '/linkedin-reactions',
    {
      onRequest: [allowNoBody, checkQuery],
      schema: {
        operationId: 'deleteLinkedinReaction',
        summary: 'Take back a reaction; the fields are in the body or in the query',
        description,
        tags,
        querystring: shape.ReactionQuery,
        body: shape.ReactionToDelete,
        response: { 200: shape.ReactionDeleted },
      },
      config: {
        failure: 'linkedin_reaction_delete_failed',
        problems: [...common, 'linkedin_reaction_delete_fields_missing', 'linkedin_post_urn_invalid'],
      },
    },
    ({ who, query, body }) => deleteReaction(app, who, { ...query, ...body }),
  );

  server.post(
    '/linkedin-reshare',
    {
      schema: {
        operationId: 'createLinkedinReshare',
        summary: 'Reshare a LinkedIn post',
        description,
        tags,
        body: shape.NewReshare,
        response: { 201: shape.ReshareCreated },
      },
      config: { failure: 'linkedin_reshare_failed', problems: [...common, ...reshareProblems] },
    },
    async ({ who, body }, reply) => reply.code(201).send(await createReshare(app, who, body)),
  );

  server.get(
    '/linkedin-mentionables',
    {
      onRequest: checkQuery,
      schema: {
        operationId: 'listLinkedinMentionables',
        summary: 'List people seen under LinkedIn posts, who can be mentioned',
        tags,
        querystring: shape.MentionablesQuery,
        response: { 200: shape.Mentionables },
      },
      config: {
        failure: 'linkedin_mentionables_failed',
        problems: ['linkedin_mentionables_unavailable', 'text_invalid'],
      },
    },
    ({ who, query }) => listMentionables(app, who, query),
  );
}

const commentProblems = [
  'linkedin_comment_fields_missing',
  'linkedin_post_urn_invalid',
  'linkedin_message_not_string',
  'linkedin_image_url_not_string',
  'linkedin_message_empty',
  'linkedin_message_too_long',
  'linkedin_mention_unrenderable',
  'linkedin_comment_too_long',
  'linkedin_parent_comment_invalid',
  'linkedin_image_url_refused',
  'linkedin_image_not_fetched',
  'linkedin_image_type_refused',
  'linkedin_image_too_large',
  'linkedin_image_too_many_pixels',
  'linkedin_image_too_many_frames',
  'probe_busy',
  'probe_timeout',
] as const satisfies ProblemKey[];
const reshareProblems = [
  'linkedin_reshare_fields_missing',
  'linkedin_platform_id_empty',
  'linkedin_parent_not_string',
  'linkedin_parent_empty',
  'linkedin_parent_invalid',
  'linkedin_commentary_not_string',
  'linkedin_commentary_too_long',
  'linkedin_mention_unrenderable',
  'linkedin_commentary_too_long_formatted',
  'linkedin_visibility_not_string',
  'linkedin_visibility_invalid',
  'linkedin_visibility_of_page',
  'linkedin_organization_missing',
] as const satisfies ProblemKey[];

/** Clients that always name a type of body do so also where all is in the query. */
async function allowNoBody({ headers }: FastifyRequest) {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) delete headers['content-type'];
}

/** As every body is. */
async function checkQuery({ query }: FastifyRequest) {
  if (!isStorable(query)) throw new Problem('text_invalid');
}

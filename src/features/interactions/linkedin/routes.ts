import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { isStorable } from '../../../foundation/http/requests/storable-body.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { createComment, deleteComment } from './comments.ts';
import * as examples from './examples.ts';
import { listMentionables } from './mentionables.ts';
import { createReaction, deleteReaction } from './reactions.ts';
import { createReshare } from './reshare.ts';
import * as shape from './schema.ts';

const tags = ['LinkedIn'];
const refusals = 'If LinkedIn rejects the request, its status is returned.';
const common = [
  'linkedin_platform_id_not_string',
  'linkedin_platform_id_invalid',
  'linkedin_connection_not_found',
  'linkedin_token_expired',
  'linkedin_rate_limited',
  'linkedin_request_timeout',
] as const satisfies ProblemKey[];

/** Comments, reactions and reshares on LinkedIn (contract.md#linkedin), and the people who can be mentioned there. */
export function linkedinRoutes(server: Server, app: App) {
  server.post(
    '/linkedin-comments',
    {
      schema: {
        operationId: 'createLinkedinComment',
        summary: 'Comment on a LinkedIn post',
        description: `Posts a comment, or a reply with \`parentComment\`. ${refusals}`,
        tags,
        example: examples.createLinkedinComment,
        body: shape.NewComment,
        response: { 201: shape.CommentCreated },
      },
      config: { failure: 'linkedin_comment_failed', problems: [...common, ...commentProblems] },
    },
    async (request, reply) => {
      const { who, body } = request;
      // Crier fetches the image from any URL that the caller chooses.
      if (body.imageUrl) await request.countRate('imageAddress');
      return reply.code(201).send(await createComment(app, who, body));
    },
  );

  server.delete(
    '/linkedin-comments',
    {
      onRequest: [allowNoBody, checkQuery],
      schema: {
        operationId: 'deleteLinkedinComment',
        summary: 'Delete a LinkedIn comment',
        description: `Accepts the fields in the body or in the query. ${refusals}`,
        tags,
        example: examples.deleteLinkedinComment,
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
        description: `An account can have one reaction per post. To choose another, delete the first. ${refusals}`,
        tags,
        example: examples.createLinkedinReaction,
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
        summary: 'Delete a LinkedIn reaction',
        description: `Accepts the fields in the body or in the query. ${refusals}`,
        tags,
        example: examples.deleteLinkedinReaction,
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
        description: `Publishes the reshare immediately. To schedule one, use \`create-post\` with \`platformSettings.linkedin\`. ${refusals}`,
        tags,
        example: examples.createLinkedinReshare,
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
        summary: 'List people who can be mentioned on LinkedIn',
        description:
          'Lists people who commented or reacted in the last two days, most recent first. Requires a paid plan.',
        tags,
        example: examples.listLinkedinMentionables,
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

/** Some clients send a content type without a body, which Fastify would reject. */
async function allowNoBody({ headers }: FastifyRequest) {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) delete headers['content-type'];
}

/** Bodies are checked for every route. Here, the query can contain the same fields. */
async function checkQuery({ query }: FastifyRequest) {
  if (!isStorable(query)) throw new Problem('text_invalid');
}

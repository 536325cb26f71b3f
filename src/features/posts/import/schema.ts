import { z } from 'zod';
import { postLimits } from '../../../foundation/errors/posts.ts';
import { requestLimits } from '../../../foundation/errors/requests.ts';
import { ProblemBody } from '../../../foundation/http/openapi/problem-body.ts';
import { shownAs } from '../../../foundation/http/openapi/schemas.ts';
import { success } from '../../../foundation/http/shapes.ts';
import { CreatePost, PostCreated, PostValidated } from '../schema.ts';

/** The wire shapes of an import. */

const ImportedPost = z
  .intersection(CreatePost, z.object({ idempotencyKey: z.string().min(1).max(requestLimits.idempotencyKeyLength) }))
  .meta({ id: 'ImportedPost', description: 'The body of `create-post`, with the `Idempotency-Key` of this post.' });

export const ImportPosts = z
  .object({
    // Each post is validated separately, so an invalid one does not fail the others.
    posts: shownAs(
      z
        .array(z.unknown(), { error: 'import_posts_missing' })
        .min(1, 'import_posts_missing')
        .max(postLimits.importedPosts, 'import_too_many'),
      z.array(ImportedPost).min(1).max(postLimits.importedPosts),
    ),
    dryRun: z.boolean().default(false).describe('True: validate every post and store none.'),
  })
  .meta({ id: 'ImportPosts' });

const ImportResult = z
  .object({
    idempotencyKey: z.string().nullable().describe('Null if the post has none.'),
    status: z.number().describe('The status that `create-post` would have returned.'),
    replayed: z.literal(true).optional().describe('The post was stored by an earlier request with the same key.'),
    response: z
      .union([PostCreated, PostValidated, ProblemBody])
      .describe('The response that `create-post` would have returned; with `dryRun`, that of `validate-post`.'),
  })
  .meta({ id: 'ImportResult', description: 'The result for one post.' });

export const PostsImported = z.object({
  success,
  dryRun: z.boolean(),
  succeeded: z.number(),
  failed: z.number(),
  results: z.array(ImportResult).describe('One for each post, in the order of the request.'),
});

export type ImportPosts = z.output<typeof ImportPosts>;
export type ImportResult = z.output<typeof ImportResult>;

import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { importExample } from '../examples.ts';
import { importPosts } from './import-posts.ts';
import { ImportPosts, PostsImported } from './schema.ts';

/** 500 posts of ordinary length. Parsing more would delay other requests. */
const bodyLimit = 4 * 1024 * 1024;
const postsPerWrite = 50;

export function importRoutes(server: Server, app: App) {
  server.post(
    '/import',
    {
      bodyLimit,
      schema: {
        operationId: 'importPosts',
        summary: 'Create many posts in one call',
        description:
          'Creates up to 500 posts, each with the fields of `create-post`, its own `idempotencyKey` and its own result. If one is invalid, the others are still created. You can repeat the call if the response is lost: each key creates only one post. Counts as one write per 50 posts.',
        tags: ['Posts'],
        example: importExample,
        body: ImportPosts,
        response: { 200: PostsImported },
      },
      config: { failure: 'import_failed', problems: ['import_posts_missing', 'import_too_many'] },
    },
    async (request, reply) => {
      const { who, body } = request;
      // The request itself has already been counted as the first write.
      for (let posts = postsPerWrite; posts < body.posts.length; posts += postsPerWrite)
        await request.countRate('write');
      return importPosts(app, who, body, () => reply.raw.destroyed);
    },
  );
}

import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Statement } from '../record-statements.ts';
import type { BareOptions } from './options.ts';

/** Each handler runs the service's statements unchanged and sends the rows to the client without mapping. */
export function bareReads(server: FastifyInstance, pool: pg.Pool, { reads, platformLimits }: BareOptions) {
  const rowsOf = async (statements: readonly Statement[], id: string | null = null) => {
    let rows: unknown[] = [];
    for (const { text, values } of statements) {
      const query = {
        name: text.slice(0, 60),
        text,
        values: values.map((value) => (value === reads.sampleId ? id : value)),
      };
      ({ rows } = await pool.query(query));
    }
    return rows;
  };

  server.get('/get-post/:id', ({ params }) => rowsOf(reads.getPost, (params as { id: string }).id));
  server.get('/list-posts', () => rowsOf(reads.listPosts));
  server.get('/nothing', async () => ({ success: true }));
  server.get('/platform-limits', async () => platformLimits);

  server.post('/post-statistics', async ({ body }) => {
    const { posts } = body as { posts: { platform: string; platformId: string; postedId: string }[] };
    const accounts = posts.map(({ platform, platformId }) => platformId.replace(`${platform}-`, ''));
    const values = [posts.map(({ platform, postedId }, place) => `post ${platform} ${accounts[place]} ${postedId}`)];
    const text = 'select key, value from statistics_cache where key = any ($1) and expires_at > now()';
    return (await pool.query({ name: 'statistics', text, values })).rows;
  });
}

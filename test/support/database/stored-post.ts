import type { TestService } from '../service/service.ts';

/** Everything stored about a post, and all usage counts: a rejected edit must not change any of it. */
export async function storedPost({ database }: TestService, id: string) {
  const { rows } = await database.pool.query(
    `select to_jsonb(post_groups) as group,
      (select jsonb_agg(t order by position) from platform_posts t where post_group_id = $1) as targets,
      (select coalesce(jsonb_agg(l order by created_at, id), '[]') from post_logs l where post_group_id = $1) as logs,
      (select coalesce(jsonb_agg(to_jsonb(e) || jsonb_build_object('data', body::jsonb -> 'data') order by id), '[]')
        from events e where post_group_id = $1) as events,
      (select jsonb_agg(c order by period, connection) from usage_counters c) as counters
    from post_groups where id = $1`,
    [id],
  );
  return rows[0];
}

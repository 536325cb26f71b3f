import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { BareOptions } from './options.ts';

interface Body {
  content: string;
  platforms: string[];
  scheduledTime: string;
}

/** Only stores the rows of a scheduled post: no checks, no limits, no warnings. As durable as the service. */
export function bareCreatePost(server: FastifyInstance, pool: pg.Pool, { tenants }: BareOptions) {
  const byKey = new Map(tenants.map((tenant) => [tenant.apiKey, tenant]));

  server.post('/create-post', async ({ headers, body }) => {
    const { userId, connections } = byKey.get(String(headers['x-service-key']))!;
    const { content, platforms, scheduledTime } = body as Body;
    const id = newId();
    const event = {
      version: '1',
      event: 'post.scheduled',
      timestamp: new Date(),
      data: { postGroupId: id, platforms },
    };
    const values = [
      id,
      userId,
      content,
      scheduledTime,
      `${scheduledTime.slice(0, 7)}-01`,
      connections.map(newId),
      connections.map((connection) => connection.id),
      connections.map(({ platform }) => platform),
      connections.map(({ accountId }) => accountId),
      content.toLowerCase().match(/[a-z0-9]+/g),
      newId(),
      JSON.stringify(event),
    ];
    await pool.query({ name: 'create-post', text: statement, values });
    return { success: true, postGroupId: id, scheduledTime };
  });
}

const newId = () => randomBytes(12).toString('hex');

const statement = `
  with target as (
    select * from unnest($6::text[], $7::text[], $8::text[], $9::text[]) with ordinality
      as target (id, connection_id, platform, account_id, position)
  ), stored as (
    insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
    values ($1, $2, $3, 'scheduled', $4, 3, 3)
  ), targets as (
    insert into platform_posts (id, post_group_id, user_id, connection_id, platform, account_id, position, content, status,
      reserved_owner_id, reserved_period)
    select id, $1, $2, connection_id, platform, account_id, position, $3, 'scheduled', $2, $5 from target
  ), counted as (
    insert into usage_counters as counter (owner_id, period, connection, used)
    select $2, $5, platform || '-' || account_id, 1 from target order by platform
    on conflict (owner_id, period, connection) do update set used = counter.used + 1
  ), words as (
    insert into post_words (post_group_id, user_id, words) values ($1, $2, array_to_tsvector($10::text[]))
  ), logged as (
    insert into post_logs (id, post_group_id, user_id, event, created_at) values ($11, $1, $2, 'scheduled', now())
  )
  insert into events (id, user_id, type, post_group_id, body, created_at)
  values ($11, $2, 'post.scheduled', $1, $12, now())`;

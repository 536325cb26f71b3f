// The work of a job, the same for every peer: it stores the same rows as Crier for a post, in the same tables, one
// statement after the other.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';

/** Posts published at the same time. */
export const concurrency = 256;

/** @param {{ databaseUrl: string, sandboxUrl: string }} options */
export function publisher({ databaseUrl, sandboxUrl }) {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const network = new Pool(sandboxUrl, { connections: concurrency, pipelining: 1 });
  const run = (name, values) => database.query({ name, text: statements[name], values });

  return async ({ id, accountId, content, token }) => {
    const claim = newId();
    const claimed = await run('claim', [id, claim, newId(), newId()]);
    if (claimed.rowCount === 0) return;
    await run('beginStep', [id, claim]);
    const posted = await post(network, { id, content, token });
    await run('endStep', [id, JSON.stringify(posted)]);
    const data = {
      postId: id,
      platform: 'mastodon',
      platformId: accountId,
      postedId: posted.id,
      permalink: posted.url,
    };
    const event = { version: '1', event: 'post.published', timestamp: new Date(), data };
    await run('end', [
      id,
      claim,
      posted.id,
      posted.url,
      newId(),
      JSON.stringify({ postedId: posted.id }),
      JSON.stringify(event),
    ]);
  };
}

async function post(network, { id, content, token }) {
  const { statusCode, body } = await network.request({
    method: 'POST',
    path: '/mastodon.social/api/v1/statuses',
    headers: {
      accept: 'application/json',
      'user-agent': 'Crier (social publishing service)',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': id,
    },
    body: JSON.stringify({ status: content, visibility: 'public' }),
  });
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`The sandbox answers ${statusCode}: ${JSON.stringify(answer)}`);
  return { id: answer.id, url: answer.url };
}

const newId = () => randomBytes(12).toString('hex');

const statements = {
  claim: `
    with claimed as (
      update platform_posts set status = 'processing', claim_token = $2, updated_at = now()
      where id = $1 and status = 'pending' returning *
    )
    insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, created_at)
    select log.id, post_group_id, user_id, claimed.id, platform, log.event, now()
    from claimed, (values ($3, 'processing'), ($4, 'publish_attempted')) as log (id, event)`,
  beginStep: `
    insert into publish_steps (platform_post_id, name, started_at)
    select id, 'publish', now() from platform_posts where id = $1 and claim_token = $2 for share`,
  endStep: `update publish_steps set ended_at = now(), result = $2 where platform_post_id = $1 and name = 'publish'`,
  end: `
    with ended as (
      update platform_posts set status = 'published', posted_id = $3, permalink = $4, claim_token = null, published_at = now(),
        updated_at = now()
      where id = $1 and claim_token = $2 returning *
    ), rolled_up as (
      update post_groups set open_targets = 0, published_targets = 1, status = 'published', processing_status = 'finished',
        version = version + 1, updated_at = now()
      from ended where post_groups.id = post_group_id
    ), connection as (
      update connections set last_success_at = now() from ended where connections.id = connection_id
    ), logged as (
      insert into post_logs (id, post_group_id, user_id, platform_post_id, platform, event, metadata, created_at)
      select $5, post_group_id, user_id, id, platform, 'publish_succeeded', $6::jsonb, now() from ended
    )
    insert into events (id, user_id, type, post_group_id, body, created_at)
    select $5, user_id, 'post.published', post_group_id, $7, now() from ended`,
};

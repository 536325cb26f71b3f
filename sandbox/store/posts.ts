import type { IncomingHttpHeaders } from 'node:http';
import type { DatabaseSync } from 'node:sqlite';
import type { Json, JsonObject } from '../http/json.ts';
import { type Redaction, redactBody, redactHeaders } from '../http/redact.ts';
import { type Body, describeBody } from '../http/request-body.ts';
import type { Row } from './row.ts';

export interface Post {
  readonly platform: string;
  readonly id: string;
  readonly accountId: string;
  readonly text: string;
  /** Ids of its media, in display order. */
  readonly media: readonly string[];
  /** The id of the post that this one replies to or comments on. */
  readonly inReplyTo: string | null;
  /** In the platform's real form, e.g. `https://mastodon.social/@ann/1170001`. */
  readonly url: string;
  readonly createdAt: number;
  readonly editedAt: number | null;
  readonly data: JsonObject;
}

export type NewPost = Omit<Post, 'platform' | 'editedAt'> & { readonly idempotencyKey?: string | null };

/** The call that creates a post. The control API shows it with the post. */
interface CreatingCall {
  readonly platform: Redaction & { readonly id: string };
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

export interface RecordedRequest {
  readonly headers: Record<string, string>;
  readonly body: Json;
}

const columns = `network as platform, id, account_id as accountId, text, media, in_reply_to as inReplyTo, url,
  created_at as createdAt, edited_at as editedAt, data`;

export function createPosts(db: DatabaseSync, now: () => number, beginGroup: () => void) {
  const insert = db.prepare(`insert into posts (network, id, account_id, text, media, in_reply_to, url, created_at,
    idempotency_key, data, request_headers, request_body) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const byId = db.prepare(`select ${columns} from posts where network = ? and id = ?`);
  const byKey = db.prepare(`select ${columns} from posts
    where network = ? and account_id = ? and idempotency_key = ? and created_at >= ? order by position desc limit 1`);
  const replies = db.prepare(`select ${columns} from posts where network = ? and in_reply_to = ? order by position`);
  const replyCount = db.prepare('select count(*) as count from posts where network = ? and in_reply_to = ?');
  const ofAccount = db.prepare(
    `select ${columns} from posts where network = ? and account_id = ? order by position desc limit ?`,
  );
  const newest = db.prepare(`select ${columns} from posts where network = ? and account_id = ? order by position desc`);
  const accountCount = db.prepare('select count(*) as count from posts where network = ? and account_id = ?');
  const platformCount = db.prepare('select count(*) as count from posts where network = ?');
  const latest = db.prepare(`select ${columns} from posts where network = ? order by position desc limit ?`);
  const recorded = db.prepare(`select ${columns}, request_headers as headers, request_body as body from posts
    where network = coalesce(?, network) and account_id = coalesce(?, account_id) order by position`);
  const update = db.prepare(
    'update posts set text = ?, media = ?, data = ?, edited_at = ? where network = ? and id = ?',
  );
  const remove = db.prepare('delete from posts where network = ? and id = ?');

  // Counting the rows would make every publish slower than the previous one.
  const counts = new Map<string, number>();
  const adjust = (post: Post, by: number) => {
    const key = `${post.platform} ${post.accountId}`;
    const known = counts.get(key);
    if (known !== undefined) counts.set(key, known + by);
  };

  return {
    /** One statement writes the post and its idempotency key, so a killed process leaves both or neither. */
    add(call: CreatingCall, post: NewPost): Post {
      beginGroup();
      const headers = JSON.stringify(redactHeaders(call.headers));
      const body = JSON.stringify(redactBody(call.platform, describeBody(call.body)));
      const { id, accountId, text, media, inReplyTo, url, createdAt, data, idempotencyKey = null } = post;
      const platform = call.platform.id;
      const [mediaIds, json] = [JSON.stringify(media), JSON.stringify(data)];
      insert.run(
        platform,
        id,
        accountId,
        text,
        mediaIds,
        inReplyTo,
        url,
        createdAt,
        idempotencyKey,
        json,
        headers,
        body,
      );
      const added = { platform, id, accountId, text, media, inReplyTo, url, createdAt, editedAt: null, data };
      adjust(added, 1);
      return added;
    },
    find: (platform: string, id: string): Post | undefined => fromRow(byId.get(platform, id)),
    findByKey: (platform: string, accountId: string, key: string, since: number): Post | undefined =>
      fromRow(byKey.get(platform, accountId, key, since)),
    replies: (post: Post): Post[] => replies.all(post.platform, post.id).map(readRow),
    replyCount: (post: Post): number => countOf(replyCount.get(post.platform, post.id)),
    count: (platform: string): number => countOf(platformCount.get(platform)),
    countOf(platform: string, accountId: string): number {
      const key = `${platform} ${accountId}`;
      const known = counts.get(key) ?? countOf(accountCount.get(platform, accountId));
      counts.set(key, known);
      return known;
    },
    forget: (): void => counts.clear(),
    /** Newest first. */
    latest: (platform: string, limit: number): Post[] => latest.all(platform, limit).map(readRow),
    ofAccount: (platform: string, accountId: string, limit = -1): Post[] =>
      ofAccount.all(platform, accountId, limit).map(readRow),
    /** Yields one post at a time, so that one page of a long list reads no more than that page. */
    *newest(platform: string, accountId: string): Generator<Post> {
      for (const row of newest.iterate(platform, accountId)) yield readRow(row);
    },
    /** Oldest first, each with the request that created it. */
    recorded: (platform?: string, accountId?: string): (Post & { request: RecordedRequest })[] =>
      recorded.all(platform ?? null, accountId ?? null).map((row) => {
        const { headers, body, ...post } = row as Record<string, string>;
        return {
          ...readRow(post),
          request: { headers: JSON.parse(headers ?? '{}'), body: JSON.parse(body ?? 'null') },
        };
      }),
    change(post: Post, change: Partial<Pick<Post, 'text' | 'media' | 'data'>>): Post {
      const changed = { ...post, ...change, editedAt: now() };
      const { text, media, data, editedAt, platform, id } = changed;
      update.run(text, JSON.stringify(media), JSON.stringify(data), editedAt, platform, id);
      return changed;
    },
    remove(post: Post): void {
      if (remove.run(post.platform, post.id).changes > 0) adjust(post, -1);
    },
  };
}

function fromRow(row: unknown): Post | undefined {
  return row === undefined ? undefined : readRow(row);
}

function readRow(row: unknown): Post {
  const stored = row as Row<Post, 'media' | 'data'>;
  return { ...stored, media: JSON.parse(stored.media), data: JSON.parse(stored.data) };
}

function countOf(row: unknown): number {
  return (row as { count: number }).count;
}

import { z } from 'zod';
import type { PostContent, PublishContext, RemotePost } from '../kit/index.ts';
import { type Call, type Credentials, call, clientName, Status, StatusSource, signedIn } from './api.ts';
import { uploadAll } from './upload.ts';

type Ctx = PublishContext<Credentials>;
/** What is sent, under the network's own names. */
interface Draft {
  status: string;
  /** Left out, it would be the account's own default, which may be private. */
  visibility: 'public';
  in_reply_to_id?: string;
  media_ids?: string[];
}

export async function publish(post: PostContent, ctx: Ctx): Promise<RemotePost> {
  const draft: Draft = { status: post.text, visibility: 'public' };
  if (post.media.length > 0) draft.media_ids = await uploadAll(post.media, ctx);
  return sendStatus('status', draft, ctx.postId, ctx);
}

/** A reply. Its key differs from the post's: under the same one the server would answer with the post. */
export function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  const draft: Draft = { status: text, visibility: 'public', in_reply_to_id: on.id };
  return sendStatus('comment', draft, `${ctx.postId}/comment`, ctx);
}

/**
 * Two guards against a second post. After an unknown outcome we look for the status first: that also holds on forks that
 * ignore keys, and beyond the hour for which Mastodon keeps them. The key covers what looking cannot see: a request that
 * is still on its way, or a replica that lags behind.
 */
function sendStatus(step: string, draft: Draft, key: string, ctx: Ctx): Promise<RemotePost> {
  const request: Call = {
    ...signedIn(ctx),
    method: 'POST',
    path: '/api/v1/statuses',
    headers: { 'idempotency-key': key },
    body: { ...draft },
  };
  return ctx.step(step, async () => remotePost(await call(Status, request, ctx)), {
    find: (since) => find(draft, since, ctx),
  });
}

const pageSize = 40;
const maxPages = 5;
/** How far the server's clock may be behind ours. */
const toleranceMs = 60_000;

/** The account's own posts since then, newest first: the oldest that equals the draft is ours. */
async function find(draft: Draft, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  let found: Status | null = null;
  let before = '';
  for (let page = 1; page <= maxPages; page += 1) {
    const statuses = await ownStatuses(before, ctx);
    for (const status of statuses) {
      if (Date.parse(status.created_at) < since.getTime() - toleranceMs) return found && remotePost(found);
      if (await isFrom(draft, status, ctx)) found = status;
    }
    const last = statuses.at(-1);
    if (!last) return found && remotePost(found);
    before = last.id;
  }
  return found ? remotePost(found) : undefined;
}

function ownStatuses(before: string, ctx: Ctx): Promise<Status[]> {
  const [id = ''] = ctx.account.id.split('@');
  const query = new URLSearchParams({
    limit: String(pageSize),
    exclude_reblogs: 'true',
    ...(before && { max_id: before }),
  });
  return call(
    z.array(Status),
    { ...signedIn(ctx), path: `/api/v1/accounts/${encodeURIComponent(id)}/statuses?${query}` },
    ctx,
  );
}

/** A status is listed as HTML; its source has the text as it was sent, without blanks at the ends. */
async function isFrom(draft: Draft, status: Status, ctx: Ctx): Promise<boolean> {
  if ((status.in_reply_to_id ?? undefined) !== draft.in_reply_to_id) return false;
  // By number only: some forks list a file under another id than the one they gave for the upload.
  if (status.media_attachments.length !== (draft.media_ids?.length ?? 0)) return false;
  // Written by the person in another app, though perhaps in the same words.
  if (status.application && status.application.name !== clientName) return false;
  const { text } = await call(StatusSource, { ...signedIn(ctx), path: `/api/v1/statuses/${status.id}/source` }, ctx);
  return text.trim() === draft.status.trim();
}

const remotePost = ({ id, url }: Status): RemotePost => ({ id, url: url ?? null });

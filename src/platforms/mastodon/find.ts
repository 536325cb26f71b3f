import { z } from 'zod';
import type { PublishContext, RemotePost } from '../kit/index.ts';
import { type Credentials, call, clientName, Status, StatusSource, signedIn } from './api.ts';
import { type NewPost, remotePost } from './new-post.ts';

type Ctx = PublishContext<Credentials>;

const pageSize = 40;
const maxPages = 5;
/** How far the server's clock may be behind ours. */
const toleranceMs = 60_000;

/** The server lists the account's own statuses newest first. The oldest one since then that equals the new one is ours. */
export async function findPost(sent: NewPost, since: Date, ctx: Ctx): Promise<RemotePost | null | undefined> {
  let found: Status | null = null;
  let before = '';
  for (let page = 1; page <= maxPages; page += 1) {
    const statuses = await ownStatuses(before, ctx);
    for (const status of statuses) {
      if (Date.parse(status.created_at) < since.getTime() - toleranceMs) return found && remotePost(found);
      if (await isSame(sent, status, ctx)) found = status;
    }
    const last = statuses.at(-1);
    if (!last) return found && remotePost(found);
    before = last.id;
  }
  return found ? remotePost(found) : undefined;
}

function ownStatuses(before: string, ctx: Ctx): Promise<Status[]> {
  const [id = ''] = ctx.account.id.split('@');
  const path = `/api/v1/accounts/${encodeURIComponent(id)}/statuses`;
  const query = { limit: String(pageSize), exclude_reblogs: 'true', ...(before && { max_id: before }) };
  return call(z.array(Status), { ...signedIn(ctx), path, query }, ctx);
}

/** A status is listed as HTML. Its source has the text as it was sent, without blanks at the ends. */
async function isSame(sent: NewPost, status: Status, ctx: Ctx): Promise<boolean> {
  if ((status.in_reply_to_id ?? undefined) !== sent.in_reply_to_id) return false;
  // Only their number is compared, because some forks list a file under another id than the one of the upload.
  if (status.media_attachments.length !== (sent.media_ids?.length ?? 0)) return false;
  // The person wrote this one in another app, though perhaps with the same text.
  if (status.application && status.application.name !== clientName) return false;
  const { text } = await call(StatusSource, { ...signedIn(ctx), path: `/api/v1/statuses/${status.id}/source` }, ctx);
  return text.trim() === sent.status.trim();
}

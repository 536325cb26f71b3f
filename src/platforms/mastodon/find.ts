import { z } from 'zod';
import {
  type Found,
  found,
  type Match,
  maxListBytes,
  type PublishContext,
  type RemotePost,
  searchFrom,
} from '../kit/index.ts';
import { type Credentials, call, clientName, Status, StatusSource, signedIn } from './api.ts';
import { type NewPost, remotePost } from './new-post.ts';

type Ctx = PublishContext<Credentials>;

const pageSize = 40;
const maxPages = 5;

/** The default of Mastodon's API, and so the minimum that a server shows of a longer list. */
const smallestPage = 20;

/** The server lists the account's own statuses newest first. */
export async function findPost(sent: NewPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  const matches: Match<RemotePost>[] = [];
  const seen = new Set<string>();
  let before: string | null = '';
  for (let page = 1; page <= maxPages && before !== null; page += 1) {
    const statuses: Status[] = await ownStatuses(before, ctx);
    const recent = statuses.filter(({ created_at }) => Date.parse(created_at) >= searchFrom(since, ctx));
    const isNew = ({ id }: Status) => !seen.has(id);
    for (const status of recent.filter(isNew)) matches.unshift(...(await match(sent, status, ctx)));
    // snac (2.75) has no pagination: it returns the same list again. If the list is short, it is complete.
    const isWhole = !statuses.some(isNew) && statuses.length < smallestPage;
    before = isWhole || recent.length < statuses.length ? null : (statuses.at(-1)?.id ?? null);
    for (const { id } of statuses) seen.add(id);
  }
  return found(matches, since, before === null, ctx);
}

async function ownStatuses(before: string, ctx: Ctx): Promise<Status[]> {
  const [id = ''] = ctx.account.id.split('@');
  const path = `/api/v1/accounts/${encodeURIComponent(id)}/statuses`;
  const query = { limit: String(pageSize), exclude_reblogs: 'true', ...(before && { max_id: before }) };
  const statuses = await call(z.array(Status), { ...signedIn(ctx), path, query, maxAnswerBytes: maxListBytes }, ctx);
  // Each is read again for its text, so a server must not control how many there are.
  return statuses.slice(0, 2 * pageSize);
}

async function match(sent: NewPost, status: Status, ctx: Ctx): Promise<Match<RemotePost>[]> {
  if ((status.in_reply_to_id ?? undefined) !== sent.in_reply_to_id) return [];
  // The person wrote this one in another app, though perhaps with the same text.
  if (status.application && status.application.name !== clientName) return [];
  const isSure = hasFiles(sent.media_ids ?? [], status);
  if (isSure === false || !(await hasText(sent, status, ctx))) return [];
  return [{ result: remotePost(status), createdAt: Date.parse(status.created_at), isSure: isSure === true }];
}

/** Undefined if it has the same number of other files: some forks list a file under a different id than the upload. */
function hasFiles(ids: readonly string[], { media_attachments: files }: Status): boolean | undefined {
  if (files.length !== ids.length) return false;
  // snac (2.75) lists files under separate ids, at URLs that end with the upload's id.
  const isUpload = ({ id, url }: Status['media_attachments'][number], upload = '') =>
    id === upload || url?.endsWith(`/${upload}`) === true;
  if (files.every((file, index) => isUpload(file, ids[index]))) return true;
  return files.some((file) => ids.some((id) => isUpload(file, id))) ? false : undefined;
}

/** A status is listed as HTML. Its source has the text as sent, without leading and trailing white space. */
async function hasText(sent: NewPost, status: Status, ctx: Ctx): Promise<boolean> {
  const { text } = await call(StatusSource, { ...signedIn(ctx), path: `/api/v1/statuses/${status.id}/source` }, ctx);
  return text.trim() === sent.status.trim();
}

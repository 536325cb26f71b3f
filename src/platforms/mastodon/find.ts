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

/** Each takes a request. Other statuses rarely share half of their words with this one. */
const maxSources = 40;

/** The server lists the account's own statuses newest first. */
export async function findPost(sent: NewPost, since: Date, ctx: Ctx): Promise<Found<RemotePost>> {
  const isLike = likeness(sent);
  const candidates: Status[] = [];
  const seen = new Set<string>();
  let before: string | null = '';
  for (let page = 1; page <= maxPages && before !== null; page += 1) {
    const statuses: Status[] = await ownStatuses(before, ctx);
    const recent = statuses.filter(({ created_at }) => Date.parse(created_at) >= searchFrom(since, ctx));
    const isNew = ({ id }: Status) => !seen.has(id);
    candidates.push(...recent.filter((status) => isNew(status) && isLike(status)));
    // snac (2.75) has no pagination: it returns the same list again. If the list is short, it is complete.
    const isWhole = !statuses.some(isNew) && statuses.length < smallestPage;
    before = isWhole || recent.length < statuses.length ? null : (statuses.at(-1)?.id ?? null);
    for (const { id } of statuses) seen.add(id);
  }
  const matches: Match<RemotePost>[] = [];
  // The oldest are the most likely, because they were created right after the request.
  for (const status of candidates.toReversed().slice(0, maxSources)) {
    if (await hasText(sent, status, ctx)) matches.push(match(sent, status));
  }
  return found(matches, since, before === null && candidates.length <= maxSources, ctx);
}

async function ownStatuses(before: string, ctx: Ctx): Promise<Status[]> {
  const [id = ''] = ctx.account.id.split('@');
  const path = `/api/v1/accounts/${encodeURIComponent(id)}/statuses`;
  const query = { limit: String(pageSize), exclude_reblogs: 'true', ...(before && { max_id: before }) };
  return call(z.array(Status), { ...signedIn(ctx), path, query, maxAnswerBytes: maxListBytes }, ctx);
}

/** Whether a listed status may be this one. */
function likeness(sent: NewPost): (status: Status) => boolean {
  const mayHaveText = wordsIn(sent.status);
  return (status) =>
    (status.in_reply_to_id ?? undefined) === sent.in_reply_to_id &&
    // The person wrote any other in another app, though perhaps with the same text.
    (!status.application || status.application.name === clientName) &&
    hasFiles(sent.media_ids ?? [], status) !== false &&
    mayHaveText(status.content);
}

const match = (sent: NewPost, status: Status): Match<RemotePost> => ({
  result: remotePost(status),
  createdAt: Date.parse(status.created_at),
  isSure: hasFiles(sent.media_ids ?? [], status) === true,
});

const maxWords = 100;

/** Longer than any status of a real server. Its source is compared instead, which takes a request, not the CPU. */
const maxHtmlLength = 50_000;

/**
 * Whether the HTML of a status has half of the text's plain words. Servers change markup, links and mentions, and some
 * also accept HTML, of which they remove parts.
 */
function wordsIn(text: string): (html: string | undefined) => boolean {
  const words = text.split(/\s+/).filter((word) => /^[a-z\d]+$/i.test(word));
  const plain = text.includes('<') ? [] : words.slice(0, maxWords);
  return (html) => {
    if (!html || html.length > maxHtmlLength || plain.length === 0) return true;
    const shown = new Set(html.match(/[a-z\d]+/gi));
    return 2 * plain.filter((word) => shown.has(word)).length >= plain.length;
  };
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

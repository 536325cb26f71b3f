import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { findBlob } from './blobs.ts';
import { readBlob } from './repo/cid.ts';
import type { RepoRecord } from './repo/repo.ts';

export const postCollection = 'app.bsky.feed.post';

const reactionKinds: Record<string, string> = { 'app.bsky.feed.like': 'like', 'app.bsky.feed.repost': 'repost' };

/** Does what the AppView does with a new record: adds a post to feeds, counts a like. */
export function indexRecord(call: Call, account: Account, record: RepoRecord): void {
  if (record.collection === postCollection) indexPost(call, account, record);
  const kind = reactionKinds[record.collection];
  const subject = findPost(call, record.value.subject);
  if (kind && subject) call.sandbox.store.reactions.add(subject, record.did, kind);
}

export function unindexRecord(call: Call, record: RepoRecord): void {
  const { posts, media, reactions } = call.sandbox.store;
  const kind = reactionKinds[record.collection];
  const subject = findPost(call, record.value.subject);
  if (kind && subject) reactions.remove(subject, record.did, kind);
  const post = record.collection === postCollection ? posts.find('bluesky', record.uri) : undefined;
  if (!post) return;
  const quoted = findPost(call, quoteOf(record.value.embed));
  if (quoted) reactions.remove(quoted, record.uri, 'quote');
  for (const id of post.media) {
    const one = media.find('bluesky', id);
    if (one) media.remove(one);
  }
  posts.remove(post);
}

function indexPost(call: Call, account: Account, { uri, rkey, cid, value }: RepoRecord): void {
  const { store } = call.sandbox;
  const shown = mediaOf(value.embed).flatMap((one, position) => {
    const blob = findBlob(call.sandbox, account.id, one.cid);
    return blob ? [{ ...one, id: `${uri}#${position}`, blob }] : [];
  });
  store.posts.add(call, {
    id: uri,
    accountId: account.id,
    text: String(value.text ?? ''),
    media: shown.map(({ id }) => id),
    inReplyTo: parentOf(call, value.reply)?.id ?? null,
    url: `https://bsky.app/profile/${account.handle}/post/${rkey}`,
    createdAt: call.sandbox.now(),
    data: { cid, rkey, record: value },
  });
  for (const { id, kind, alt, blob } of shown) {
    const { mimeType: type, size: bytes, sha256 } = blob;
    const settled = { readyAt: call.sandbox.now(), fails: false };
    const data = { cid: blob.cid };
    const one = { platform: 'bluesky', id, accountId: account.id, kind, type, bytes, sha256, ...settled, data };
    store.media.change(store.media.add({ ...one, description: alt }), { postId: uri });
  }
  const quoted = findPost(call, quoteOf(value.embed));
  if (quoted) store.reactions.add(quoted, uri, 'quote');
}

/** A reply with inconsistent references is stored but belongs to no thread. */
function parentOf(call: Call, reply: Json | undefined): Post | undefined {
  if (!isObject(reply)) return undefined;
  const [parent, root] = [findPost(call, reply.parent), findPost(call, reply.root)];
  if (!parent || !root) return undefined;
  const { reply: parentView } = parent.data.record as JsonObject;
  const expected = isObject(parentView) && isObject(parentView.root) ? parentView.root.uri : parent.id;
  return root.id === expected ? parent : undefined;
}

/** A strong reference must match in both URI and content id. */
function findPost(call: Call, ref: Json | undefined): Post | undefined {
  if (!isObject(ref) || typeof ref.uri !== 'string') return undefined;
  const post = call.sandbox.store.posts.find('bluesky', ref.uri);
  return post?.data.cid === ref.cid ? post : undefined;
}

function quoteOf(embed: Json | undefined): Json | undefined {
  if (!isObject(embed)) return undefined;
  if (embed.$type === 'app.bsky.embed.record') return embed.record;
  return embed.$type === 'app.bsky.embed.recordWithMedia' && isObject(embed.record) ? embed.record.record : undefined;
}

interface ShownMedia {
  readonly cid: string;
  readonly kind: 'image' | 'video';
  readonly alt: string | null;
}

function mediaOf(embed: Json | undefined): ShownMedia[] {
  if (!isObject(embed)) return [];
  const { $type, images, items, video, alt, media } = embed;
  if ($type === 'app.bsky.embed.images')
    return asList(images).flatMap((one) => shownMedia('image', one.image, one.alt));
  if ($type === 'app.bsky.embed.gallery')
    return asList(items).flatMap((one) => shownMedia('image', one.image, one.alt));
  if ($type === 'app.bsky.embed.video') return shownMedia('video', video, alt);
  return $type === 'app.bsky.embed.recordWithMedia' ? mediaOf(media) : [];
}

function shownMedia(kind: 'image' | 'video', blob: Json | undefined, alt: Json | undefined): ShownMedia[] {
  const found = readBlob(blob);
  return found ? [{ cid: found.cid, kind, alt: typeof alt === 'string' && alt !== '' ? alt : null }] : [];
}

function asList(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

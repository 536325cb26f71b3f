import { isObject, type Json, type JsonObject } from '../../http/json.ts';
import type { Sandbox } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Post } from '../../store/posts.ts';
import { videoHost } from './hosts.ts';
import { readBlob } from './repo/cid.ts';
import { listCollection } from './repo/repo.ts';

export function presentPost(sandbox: Sandbox, post: Post): JsonObject {
  const { store } = sandbox;
  const author = store.accounts.find('bluesky', post.accountId);
  const counts = store.reactions.counts(post);
  const record = post.data.record as JsonObject;
  const embed = presentEmbed(sandbox, post.accountId, record.embed);
  return {
    uri: post.id,
    cid: String(post.data.cid),
    author: author ? presentAuthor(author) : null,
    record,
    ...(embed && { embed }),
    bookmarkCount: counts.bookmark ?? 0,
    replyCount: store.posts.replyCount(post),
    repostCount: counts.repost ?? 0,
    likeCount: counts.like ?? 0,
    quoteCount: counts.quote ?? 0,
    indexedAt: new Date(post.createdAt).toISOString(),
    labels: [],
  };
}

export function presentProfile(sandbox: Sandbox, account: Account): JsonObject {
  const follows = listCollection(sandbox, 'app.bsky.graph.follow');
  return {
    ...presentAuthor(account),
    associated: { lists: 0, feedgens: 0, starterPacks: 0, labeler: false },
    indexedAt: new Date(account.createdAt).toISOString(),
    followersCount: follows.filter(({ value }) => value.subject === account.id).length,
    followsCount: follows.filter(({ did }) => did === account.id).length,
    postsCount: sandbox.store.posts.countOf('bluesky', account.id),
  };
}

function presentAuthor(account: Account): JsonObject {
  return {
    did: account.id,
    handle: account.handle,
    displayName: account.displayName,
    avatar: account.avatarUrl,
    labels: [],
    createdAt: new Date(account.createdAt).toISOString(),
  };
}

function presentEmbed(sandbox: Sandbox, did: string, embed: Json | undefined): JsonObject | undefined {
  if (!isObject(embed)) return undefined;
  const $type = `${embed.$type}#view`;
  switch (embed.$type) {
    case 'app.bsky.embed.images':
      return { $type, images: imageViews(did, embed.images, 'thumb') };
    case 'app.bsky.embed.gallery':
      return { $type, items: imageViews(did, embed.items, 'thumbnail', 'app.bsky.embed.gallery#viewImage') };
    case 'app.bsky.embed.video':
      return { $type, ...videoView(did, embed) };
    case 'app.bsky.embed.external':
      return { $type, external: card(did, embed.external) };
    case 'app.bsky.embed.record':
      return { $type, record: quoted(sandbox, embed.record) };
    case 'app.bsky.embed.recordWithMedia': {
      const record = isObject(embed.record) ? embed.record.record : undefined;
      return {
        $type,
        record: { record: quoted(sandbox, record) },
        media: presentEmbed(sandbox, did, embed.media) ?? null,
      };
    }
    default:
      return undefined;
  }
}

function imageViews(did: string, images: Json | undefined, thumbName: string, $type?: string): Json {
  return (Array.isArray(images) ? images.filter(isObject) : []).map(({ image, alt, aspectRatio }) => ({
    ...($type && { $type }),
    [thumbName]: imageAddress('feed_thumbnail', did, image),
    fullsize: imageAddress('feed_fullsize', did, image),
    alt: alt ?? '',
    ...(aspectRatio && { aspectRatio }),
  }));
}

function videoView(did: string, { video, alt, aspectRatio, presentation }: JsonObject): JsonObject {
  const cid = readBlob(video)?.cid ?? '';
  const folder = `https://${videoHost}/watch/${encodeURIComponent(did)}/${cid}`;
  return {
    cid,
    playlist: `${folder}/playlist.m3u8`,
    thumbnail: `${folder}/thumbnail.jpg`,
    ...(alt && { alt }),
    ...(aspectRatio && { aspectRatio }),
    ...(presentation && { presentation }),
  };
}

function card(did: string, external: Json | undefined): JsonObject {
  const { uri = '', title = '', description = '', thumb } = isObject(external) ? external : {};
  return { uri, title, description, ...(thumb && { thumb: imageAddress('feed_thumbnail', did, thumb) }) };
}

function quoted(sandbox: Sandbox, ref: Json | undefined): JsonObject {
  const uri = isObject(ref) ? String(ref.uri) : '';
  const post = sandbox.store.posts.find('bluesky', uri);
  if (!post) return { $type: 'app.bsky.embed.record#viewNotFound', uri, notFound: true };
  const { record = null, ...view } = presentPost(sandbox, post);
  return { ...view, $type: 'app.bsky.embed.record#viewRecord', value: record };
}

function imageAddress(size: string, did: string, image: Json | undefined): string {
  return `https://cdn.bsky.app/img/${size}/plain/${did}/${readBlob(image)?.cid}@jpeg`;
}

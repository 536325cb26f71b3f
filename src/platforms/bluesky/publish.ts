import type { Media, PostContent, PublishContext, RemotePost } from '../kit/index.ts';
import { atPds, type Credentials, procedure, query, RecordRef, StoredPost } from './api.ts';
import { linkCard } from './card.ts';
import { isRefusal } from './failure.ts';
import { imagesEmbed } from './images.ts';
import { mentionedIn } from './mentions.ts';
import { newRecordKey } from './record-key.ts';
import { facetsOf } from './rich-text.ts';
import { videoEmbed } from './video.ts';

type Ctx = PublishContext<Credentials>;

const collection = 'app.bsky.feed.post';

export async function publish({ text, media }: PostContent, ctx: Ctx): Promise<RemotePost> {
  // A post carries one thing: pictures, a video, or the card of a link.
  const embed = media.length > 0 ? await mediaEmbed(media, ctx) : await linkCard('card', text, ctx);
  return send('post', { text, ...(embed && { embed }) }, ctx);
}

/** A reply. It names the post it answers and the first of the conversation, each at one version. */
export async function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  const { uri, cid, value } = await readPost(on.id, ctx);
  const parent = { uri, cid };
  const embed = await linkCard('comment card', text, ctx);
  return send('comment', { text, reply: { root: value.reply?.root ?? parent, parent }, ...(embed && { embed }) }, ctx);
}

function mediaEmbed(media: readonly Media[], ctx: Ctx) {
  const video = media.find(({ kind }) => kind === 'video');
  return video ? videoEmbed(video, ctx) : imagesEmbed(media, ctx);
}

interface Draft {
  text: string;
  embed?: object;
  reply?: { root: RecordRef; parent: RecordRef };
}

/**
 * Exactly once by the key of the record, which is ours to choose and chosen once. The same record under the same key
 * again changes nothing; `swapRecord: null` refuses any other. So the record is the same in every run: all that goes into
 * it comes from steps.
 */
async function send(step: string, draft: Draft, ctx: Ctx): Promise<RemotePost> {
  const dids = await mentionedIn(draft.text, `${step} mentions`, ctx);
  const { rkey, createdAt } = await ctx.step(`${step} key`, async () => stamp(ctx.now()), { replayable: true });
  const facets = facetsOf(draft.text, dids);
  const { text, ...attached } = draft;
  const record = { $type: collection, text, createdAt, ...(facets.length > 0 && { facets }), ...attached };
  const json = { repo: ctx.credentials.did, collection, rkey, swapRecord: null, record };
  const put = () => procedure(RecordRef, atPds(ctx.credentials), 'com.atproto.repo.putRecord', { json }, ctx);
  return ctx.step(step, async () => remotePost(await put()), { replayable: true, find: () => find(rkey, ctx) });
}

const stamp = (now: Date) => ({ rkey: newRecordKey(now), createdAt: now.toISOString() });

async function find(rkey: string, ctx: Ctx): Promise<RemotePost | null> {
  try {
    return remotePost(await getRecord({ repo: ctx.credentials.did, collection, rkey }, ctx));
  } catch (error) {
    if (isRefusal(error, 'RecordNotFound')) return null;
    throw error;
  }
}

async function readPost(id: string, ctx: Ctx) {
  const [, , repo = '', , rkey = id] = id.split('/');
  return getRecord({ repo: repo || ctx.credentials.did, collection, rkey }, ctx);
}

/** Public: needs no token, and so works with one that has expired. */
function getRecord(name: { repo: string; collection: string; rkey: string }, ctx: Ctx) {
  return query(StoredPost, { origin: ctx.credentials.pds }, 'com.atproto.repo.getRecord', name, ctx);
}

/** An address with the account's id, unlike one with its handle, lasts. */
function remotePost({ uri }: RecordRef): RemotePost {
  const [, , did, , rkey] = uri.split('/');
  return { id: uri, url: `https://bsky.app/profile/${did}/post/${rkey}` };
}

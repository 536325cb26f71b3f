import { fingerprint, type PublishContext, type RemotePost } from '../kit/index.ts';
import { atPds, type Credentials, procedure, RecordRef } from './api.ts';
import { collection, findPost, remotePost } from './find.ts';
import { mentionedIn } from './mentions.ts';
import { newRecordKey } from './record-key.ts';
import { facetsOf } from './rich-text.ts';

export interface NewPost {
  text: string;
  embed?: object;
  reply?: { root: RecordRef; parent: RecordRef };
}

/**
 * We choose the record key, and only once, which guarantees that the post exists only once. Resending the same record
 * under the same key changes nothing, and `swapRecord: null` refuses any other record. So the record must be identical
 * in every run: everything in it comes from steps.
 */
export async function createPost(step: string, post: NewPost, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const dids = await mentionedIn(post.text, `${step} mentions`, ctx);
  const { rkey, createdAt } = await ctx.step(`${step} key`, async () => newKey(ctx.now()), { replayable: true });
  const facets = facetsOf(post.text, dids);
  const { text, ...rest } = post;
  const record = { $type: collection, text, createdAt, ...(facets.length > 0 && { facets }), ...rest };
  const json = { repo: ctx.credentials.did, collection, rkey, swapRecord: null, record };
  const put = () => procedure(RecordRef, atPds(ctx.credentials), 'com.atproto.repo.putRecord', { json }, ctx);
  return ctx.step(step, async () => remotePost(await put()), {
    replayable: true,
    fingerprint: fingerprint('', rkey),
    find: () => findPost(rkey, ctx),
  });
}

const newKey = (now: Date) => ({ rkey: newRecordKey(now), createdAt: now.toISOString() });

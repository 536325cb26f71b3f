import { exactly, type Found, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, query, type RecordRef, StoredPost } from './api.ts';
import { hasErrorName } from './failure.ts';

type Ctx = PublishContext<Credentials>;

export const collection = 'app.bsky.feed.post';

export async function findPost(rkey: string, ctx: Ctx): Promise<Found<RemotePost>> {
  try {
    return exactly(remotePost(await getRecord({ repo: ctx.credentials.did, collection, rkey }, ctx)));
  } catch (error) {
    if (hasErrorName(error, 'RecordNotFound')) return exactly<RemotePost>(null);
    throw error;
  }
}

/** `id` is the URI of a post, or the record key of one of the account's own posts. */
export async function readPost(id: string, ctx: Ctx) {
  const [, , repo = '', , rkey = id] = id.split('/');
  return getRecord({ repo: repo || ctx.credentials.did, collection, rkey }, ctx);
}

/** The URL contains the account's id, because its handle may change. */
export function remotePost({ uri }: RecordRef): RemotePost {
  const [, , did, , rkey] = uri.split('/');
  return { id: uri, url: `https://bsky.app/profile/${did}/post/${rkey}` };
}

/** Records are public, so this needs no token and works with an expired one. */
function getRecord(name: { repo: string; collection: string; rkey: string }, ctx: Ctx) {
  return query(StoredPost, { origin: ctx.credentials.pds }, 'com.atproto.repo.getRecord', name, ctx);
}

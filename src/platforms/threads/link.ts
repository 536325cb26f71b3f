import type { SignedIn } from '../graph/api.ts';
import type { RemotePost } from '../kit/index.ts';
import { call, ifReadable, Linked } from './api.ts';
import { remotePost } from './find.ts';

/** The address cannot be made from the id. That it cannot be read is no reason to fail: the post is out. */
export async function linked(id: string, ctx: SignedIn): Promise<RemotePost> {
  const post = await ifReadable(call(Linked, { path: `/${id}`, query: { fields: 'id,permalink' } }, ctx));
  return post ? remotePost(post) : { id, url: null };
}

import { type Context, type Removal, removal } from '../kit/index.ts';
import { removeComment } from './actions/comments.ts';
import { type Credentials, encodeKey, send } from './api.ts';

type Ctx = Context<Credentials>;

/** LinkedIn deletes a post with its comments, and responds the same for a post that no longer exists. */
export function remove(id: string, ctx: Ctx): Promise<Removal> {
  return removal(deleting(id, ctx), { isMissing: ({ status }) => status === 404 });
}

function deleting(id: string, ctx: Ctx): Promise<unknown> {
  const [, on, commentId] = /^urn:li:comment:\((.+),(\d+)\)$/.exec(id) ?? [];
  if (on && commentId) return removeComment({ on, commentId }, ctx);
  const { accessToken } = ctx.credentials;
  return send({ method: 'DELETE', path: `/rest/posts/${encodeKey(id)}`, accessToken }, ctx);
}

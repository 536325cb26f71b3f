import { exactly, fingerprint, type PublishContext, type RemotePost } from '../kit/index.ts';
import { type Credentials, call, Status, signedIn } from './api.ts';
import { findPost } from './find.ts';
import { type NewPost, remotePost } from './new-post.ts';

/**
 * Two guards prevent a status from being posted twice. After an unknown outcome it is looked up first. That also works
 * on forks that ignore idempotency keys, and beyond the hour for which Mastodon keeps them. The key covers what the
 * lookup cannot see: a request that is still in flight, or a lagging replica.
 */
export function createPost(
  step: string,
  status: NewPost,
  idempotencyKey: string,
  ctx: PublishContext<Credentials>,
): Promise<RemotePost> {
  const create = async (key: string) => {
    const headers = { 'idempotency-key': key };
    const request = { ...signedIn(ctx), path: '/api/v1/statuses', headers, body: { ...status } };
    return remotePost(await call(Status, request, ctx));
  };
  return ctx.step(
    step,
    async ({ repeatSince, adopt }) => {
      const posted = await create(idempotencyKey);
      if (!repeatSince) return posted;
      // For a known key, the server returns the status of the first request. An identical post that was also in doubt
      // may have adopted that one.
      return (await adopt(exactly(posted))) ?? create(`${idempotencyKey}/again`);
    },
    {
      find: (since) => findPost(status, since, ctx),
      fingerprint: fingerprint(status.status, status.in_reply_to_id ?? null),
    },
  );
}

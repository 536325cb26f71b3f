import type { PublishContext, RemotePost } from '../kit/index.ts';
import { type Credentials, call, Status, signedIn } from './api.ts';
import { findPost } from './find.ts';
import { type NewPost, remotePost } from './new-post.ts';

/**
 * Two guards keep a status from being posted twice. After an unknown outcome it is looked up first: that also works on
 * forks that ignore idempotency keys, and beyond the hour for which Mastodon keeps them. The key covers what the lookup
 * cannot see: a request that is still in flight, or a replica that lags behind.
 */
export function createPost(
  step: string,
  status: NewPost,
  idempotencyKey: string,
  ctx: PublishContext<Credentials>,
): Promise<RemotePost> {
  const request = {
    ...signedIn(ctx),
    path: '/api/v1/statuses',
    headers: { 'idempotency-key': idempotencyKey },
    body: { ...status },
  };
  return ctx.step(step, async () => remotePost(await call(Status, request, ctx)), {
    find: (since) => findPost(status, since, ctx),
  });
}

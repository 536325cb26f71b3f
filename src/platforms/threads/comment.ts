import { Created, orNull } from '../graph/api.ts';
import { hasRecovery, reclassify } from '../graph/failure.ts';
import { withPermalink } from '../graph/find.ts';
import { fingerprint, type PublishContext, type RemotePost, unknownOutcome } from '../kit/index.ts';
import { type Credentials, call } from './api.ts';
import { isPermissionMissing } from './failure.ts';
import { findReply } from './find.ts';

/**
 * A text-only reply is published in one call, without a container to wait for. So there is also no container to ask
 * about an unknown outcome.
 */
export function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const send = async () => {
    const form = { media_type: 'TEXT', text, reply_to_id: on.id, auto_publish_text: 'true' };
    const { id } = await call(Created, { path: `/${ctx.credentials.userId}/threads`, form }, ctx).catch(explain);
    return withPermalink(id, call, ctx);
  };
  const find = async (since: Date) => {
    const found = await orNull(findReply(text, on, since, ctx));
    if (!found) throw unknownOutcome();
    return found;
  };
  return ctx.step('comment', send, { find, fingerprint: fingerprint(text, on.id) });
}

/** An account that may not reply may still post, so these errors do not count against the connection. */
function explain(error: unknown): never {
  if (isPermissionMissing(error)) {
    throw reclassify(error, 'rejected', 'Reconnect your Threads account and allow reply publishing.');
  }
  if (hasRecovery(error, 'wait')) throw reclassify(error, 'rejected', 'Threads cannot find the post to reply to.');
  throw error;
}

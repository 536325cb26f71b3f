import { asksFor } from '../graph/failure.ts';
import { PlatformError, type PublishContext, type RemotePost } from '../kit/index.ts';
import { Created, type Credentials, call, ifReadable } from './api.ts';
import { isDenial } from './failure.ts';
import { findReply } from './find.ts';
import { linked } from './link.ts';

type Ctx = PublishContext<Credentials>;

/**
 * A reply of text alone goes out in one call, without a container to wait for. Nor is there one to ask whether it went
 * out: that it is not in the list of replies is no proof.
 */
export function comment(on: RemotePost, text: string, ctx: Ctx): Promise<RemotePost> {
  const send = async () => {
    const form = { media_type: 'TEXT', text, reply_to_id: on.id, auto_publish_text: 'true' };
    const { id } = await call(Created, { path: `/${ctx.credentials.userId}/threads`, form }, ctx).catch(explain);
    return linked(id, ctx);
  };
  const find = async (since: Date) => (await ifReadable(findReply(text, on, since, ctx))) ?? undefined;
  return ctx.step('comment', send, { find });
}

function explain(error: unknown): never {
  if (isDenial(error)) throw rejected(error, 'Reconnect your Threads account and allow reply publishing.');
  if (asksFor('wait', error)) throw rejected(error, 'Threads does not have the post to reply to.');
  throw error;
}

/** Whoever may not reply may post nevertheless: the connection as a whole is in order. */
const rejected = ({ status, reason }: PlatformError, message: string) =>
  new PlatformError('rejected', message, { status: status ?? undefined, reason: reason ?? undefined });

import { type Context, type Issue, PlatformError, type ThreadPermission } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { isDenial } from './failure.ts';
import { allowsReplies, readScopes, readToken } from './scopes.ts';

type Ctx = Context<Credentials>;

const missing = {
  code: 'THREADS_PERMISSION_REQUIRED',
  message: 'Reconnect your Threads account and allow reply publishing to publish a thread with multiple posts.',
  field: 'platforms',
} satisfies Issue;

/** The parts of a thread are replies, which an account may keep back from us. */
export const threadPermission: ThreadPermission<Credentials> = {
  missing,
  notConnected: { ...missing, message: 'Reconnect your Threads account before scheduling a thread.' },

  async isGranted(ctx) {
    const token = await readToken(ctx).catch(nullIfUntold);
    if (token && !token.is_valid) {
      throw new PlatformError('auth', 'Threads no longer accepts the access token. Connect the account again.');
    }
    return mayReply(token?.scopes ?? null, ctx);
  },
};

/** A thread of which only the beginning can go out is worse than none. */
export async function assertMayReply(ctx: Ctx): Promise<void> {
  if (mayReply(await readScopes(ctx), ctx)) return;
  const { code, message } = missing;
  throw new PlatformError('rejected', message, { code, reason: 'threads_manage_replies was not granted' });
}

/** Where Threads does not tell, it is as connecting found it. */
const mayReply = (scopes: readonly string[] | null, { account }: Ctx) =>
  scopes ? allowsReplies(scopes) : account.traits.canReply !== false;

/** Not to be told what a token may do says nothing against the token, and waiting would not help. */
function nullIfUntold(error: unknown): null {
  if (isDenial(error) || (error instanceof PlatformError && error.kind === 'rejected')) return null;
  throw error;
}

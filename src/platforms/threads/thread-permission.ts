import { type Context, type Issue, messages, PlatformError, type ThreadPermission } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { isPermissionMissing, name } from './failure.ts';
import { allowsReplies, readScopes, readTokenDetails } from './scopes.ts';

type Ctx = Context<Credentials>;

const missing = {
  code: 'THREADS_PERMISSION_REQUIRED',
  message: 'Reconnect your Threads account and allow reply publishing to publish a thread with multiple posts.',
  field: 'platforms',
} satisfies Issue;

/** The parts of a thread are replies, and people may decline the permission to reply. */
export const threadPermission: ThreadPermission<Credentials> = {
  missing,
  notConnected: { ...missing, message: 'Reconnect your Threads account before scheduling a thread.' },

  async isGranted(ctx) {
    const token = await readTokenDetails(ctx).catch(nullIfNotTold);
    if (token && !token.is_valid) throw new PlatformError('auth', messages.tokenRejected(name));
    return mayReply(token?.scopes ?? null, ctx);
  },
};

/** A thread of which only the first part can be published is worse than none. */
export async function assertMayReply(ctx: Ctx): Promise<void> {
  if (mayReply(await readScopes(ctx), ctx)) return;
  const { code, message } = missing;
  throw new PlatformError('rejected', message, { code, reason: 'threads_manage_replies was not granted' });
}

/** If Threads does not report the scopes, those from connecting count. */
const mayReply = (scopes: readonly string[] | null, { account }: Ctx) =>
  scopes ? allowsReplies(scopes) : account.traits.canReply !== false;

/** A refusal to describe the token says nothing against the token, and a later attempt would not help. */
function nullIfNotTold(error: unknown): null {
  if (isPermissionMissing(error) || (error instanceof PlatformError && error.kind === 'rejected')) return null;
  throw error;
}

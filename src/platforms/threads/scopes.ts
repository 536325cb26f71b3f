import type { SignedIn } from '../graph/call.ts';
import { call, ifReadable, TokenFacts } from './api.ts';

/** As little as posts, threads and comments take, and finding our own among them. */
export const wanted = 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies';

/** What the token was granted; null where Threads does not tell. */
export async function readScopes(ctx: SignedIn): Promise<string[] | null> {
  const query = { input_token: ctx.credentials.accessToken };
  const facts = await ifReadable(call(TokenFacts, { path: '/debug_token', query }, ctx));
  return facts?.data.is_valid ? facts.data.scopes : null;
}

export const allowsReplies = (scopes: readonly string[]) => scopes.includes('threads_manage_replies');

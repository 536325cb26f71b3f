import type { SignedIn } from '../graph/api.ts';
import { call, ifReadable, TokenFacts } from './api.ts';

/** As little as posts, threads and comments take, and finding our own among them. */
export const wanted = 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies';

/** What the token was granted; null where Threads does not tell, whatever the reason. */
export async function readScopes(ctx: SignedIn): Promise<string[] | null> {
  const token = await ifReadable(readToken(ctx));
  return token?.is_valid ? token.scopes : null;
}

/** What Threads says of the token. */
export async function readToken(ctx: SignedIn) {
  const query = { input_token: ctx.credentials.accessToken };
  const { data } = await call(TokenFacts, { path: '/debug_token', query }, ctx);
  return data;
}

export const allowsReplies = (scopes: readonly string[]) => scopes.includes('threads_manage_replies');

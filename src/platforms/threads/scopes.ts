import { z } from 'zod';
import { orNull, type SignedIn } from '../graph/api.ts';
import { call } from './api.ts';

/** The minimum for posts, threads and comments, and for finding our own. */
export const scope = 'threads_basic,threads_content_publish,threads_manage_replies,threads_read_replies';

/** The scopes granted to the token. Null if Threads does not report them, for any reason. */
export async function readScopes(ctx: SignedIn): Promise<string[] | null> {
  const token = await orNull(readTokenDetails(ctx));
  return token?.is_valid ? token.scopes : null;
}

const TokenDetails = z.object({
  data: z.object({ is_valid: z.boolean(), scopes: z.array(z.string()).default([]) }),
});

export async function readTokenDetails(ctx: SignedIn) {
  const query = { input_token: ctx.credentials.accessToken };
  const { data } = await call(TokenDetails, { path: '/debug_token', query }, ctx);
  return data;
}

export const allowsReplies = (scopes: readonly string[]) => scopes.includes('threads_manage_replies');

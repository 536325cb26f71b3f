import type { Context, RemotePost } from '../kit/index.ts';

/** A post to send to X. */
export interface NewPost {
  text: string;
  mediaIds: string[];
  inReplyTo: string | null;
}

export const remotePost = (id: string, { account }: Pick<Context<unknown>, 'account'>): RemotePost => ({
  id,
  url: `https://x.com/${account.handle}/status/${id}`,
});

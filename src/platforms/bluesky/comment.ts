import type { PublishContext, RemotePost } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { createPost } from './create-post.ts';
import { readPost } from './find.ts';
import { linkCard } from './link-card.ts';

/** A comment is a reply. It refers to one version of its parent, and of the first post of the conversation. */
export async function comment(on: RemotePost, text: string, ctx: PublishContext<Credentials>): Promise<RemotePost> {
  const { uri, cid, value } = await readPost(on.id, ctx);
  const parent = { uri, cid };
  const embed = await linkCard('comment card', text, ctx);
  const reply = { root: value.reply?.root ?? parent, parent };
  return createPost('comment', { text, reply, ...(embed && { embed }) }, ctx);
}

import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import type { Store } from '../../store/index.ts';
import type { Post } from '../../store/posts.ts';
import { type Message, messagesOf } from './present.ts';

/**
 * Ids that follow each other. Telegram counts within a chat; here all chats share one count, because the sandbox knows a
 * post by its network and id alone. A chat that skips some is nothing unusual: deleted messages leave the same gaps.
 */
export function takeMessageIds(store: Store, count: number): string[] {
  const last = Number(store.records.find('telegram', 'count', 'messages')?.data.last ?? 1);
  store.records.put('telegram', 'count', 'messages', { last: last + count });
  return Array.from({ length: count }, (_, index) => String(last + 1 + index));
}

/** Any message of a post, not only the one whose id the post bears. */
export function findMessage(call: Call, chat: Account, id: string): { post: Post; message: Message } | undefined {
  const { posts, records } = call.sandbox.store;
  const postId = records.find('telegram', 'message', id)?.data.postId;
  const post = posts.find('telegram', typeof postId === 'string' ? postId : id);
  const message = post?.accountId === chat.id ? messagesOf(post).find((one) => one.id === id) : undefined;
  return post && message && { post, message };
}

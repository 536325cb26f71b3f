import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import type { Store } from '../../store/index.ts';
import type { Post } from '../../store/posts.ts';
import { type Message, messagesOf } from './present.ts';

/**
 * Returns consecutive ids. Telegram numbers messages per chat. Here all chats share one sequence, because the sandbox
 * identifies a post by platform and id alone. Gaps are normal, because deleted messages leave them too.
 */
export function nextMessageIds(store: Store, count: number): string[] {
  const last = Number(store.records.find('telegram', 'count', 'messages')?.data.last ?? 1);
  store.records.put('telegram', 'count', 'messages', { last: last + count });
  return Array.from({ length: count }, (_, index) => String(last + 1 + index));
}

/** Finds any message of a post, not only the first, whose id is also the post's. */
export function findMessage(call: Call, chat: Account, id: string): { post: Post; message: Message } | undefined {
  const { posts, records } = call.sandbox.store;
  const postId = records.find('telegram', 'message', id)?.data.postId;
  const post = posts.find('telegram', typeof postId === 'string' ? postId : id);
  const message = post?.accountId === chat.id ? messagesOf(post).find((one) => one.id === id) : undefined;
  return post && message && { post, message };
}

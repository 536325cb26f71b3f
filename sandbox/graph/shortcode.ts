import { randomName } from '../store/apps.ts';
import type { Store } from '../store/index.ts';
import type { Post } from '../store/posts.ts';

const length = 11;

/** What stands for a post in addresses. It does not follow from the id. */
export function newShortcode(store: Store, network: string, postId: string): string {
  const shortcode = `D${randomName(length)}`.slice(0, length);
  store.records.put(network, 'shortcode', shortcode, { postId });
  return shortcode;
}

export function findByShortcode(store: Store, network: string, shortcode: string): Post | undefined {
  const postId = store.records.find(network, 'shortcode', shortcode)?.data.postId;
  return typeof postId === 'string' ? store.posts.find(network, postId) : undefined;
}

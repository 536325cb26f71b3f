import { randomName } from '../store/apps.ts';
import type { Store } from '../store/index.ts';
import type { Post } from '../store/posts.ts';

const length = 11;

/** The name of a post in web addresses. It is not derived from the id. */
export function newShortcode(store: Store, platform: string, postId: string): string {
  const shortcode = `D${randomName(length)}`.slice(0, length);
  store.records.put(platform, 'shortcode', shortcode, { postId });
  return shortcode;
}

export function findByShortcode(store: Store, platform: string, shortcode: string): Post | undefined {
  const postId = store.records.find(platform, 'shortcode', shortcode)?.data.postId;
  return typeof postId === 'string' ? store.posts.find(platform, postId) : undefined;
}

import type { App } from '../../../app.ts';
import { selectPublished } from '../read-queries.ts';

/** Identifies a post by its id on the platform. */
export interface RemotePostName {
  platform: string;
  accountId: string;
  postedId: string;
}

/** Returns the posts that this user published through this service. */
export function ownPublishedPosts<T extends RemotePostName>(
  { db }: Pick<App, 'db'>,
  userId: string,
  posts: readonly T[],
): Promise<T[]> {
  return selectPublished(db, userId, posts);
}

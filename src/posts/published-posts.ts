import type { App } from '../app.ts';
import { selectPublished } from './read-queries.ts';

/** A post by the name that its network gave it. */
export interface RemoteName {
  platform: string;
  accountId: string;
  postedId: string;
}

/** Those of them that this user has published here. */
export function publishedAmong<T extends RemoteName>(
  { db }: Pick<App, 'db'>,
  userId: string,
  posts: readonly T[],
): Promise<T[]> {
  return selectPublished(db, userId, posts);
}

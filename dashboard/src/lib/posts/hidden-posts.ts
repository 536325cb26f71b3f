import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keys } from '../query-keys.ts';

/** Posts and drafts that the person deleted. Lists leave them out, even before the service has deleted them. */
const hidden = new Set<string>();

export const isHidden = (id: string): boolean => hidden.has(id);

export function hidePosts(client: QueryClient, ids: readonly string[]) {
  for (const id of ids) hidden.add(id);
  client.setQueriesData<Cached>({ queryKey: keys.posts }, withoutHidden);
  client.setQueriesData<Cached>({ queryKey: keys.drafts }, withoutHidden);
}

/** Lists show them again once they have been read again. */
export function showPosts(client: QueryClient, ids: readonly string[]) {
  for (const id of ids) hidden.delete(id);
  return refreshPosts(client, ids);
}

export const refreshPosts = (client: QueryClient, ids: readonly string[]) =>
  Promise.all(
    [keys.posts, keys.drafts, ...ids.map((id) => keys.post(id))].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );

interface Listed {
  postGroupId?: string;
  /** Of a draft. */
  _id?: string;
}

type Cached = readonly Listed[] | InfiniteData<{ posts: readonly Listed[] }> | { posts: readonly Listed[] } | undefined;

const shown = (posts: readonly Listed[]) =>
  posts.filter(({ postGroupId, _id }) => !hidden.has(postGroupId ?? _id ?? ''));

function withoutHidden(cached: Cached): Cached {
  if (cached === undefined) return undefined;
  if (Array.isArray(cached)) return shown(cached);
  if ('pages' in cached)
    return { ...cached, pages: cached.pages.map((page) => ({ ...page, posts: shown(page.posts) })) };
  return 'posts' in cached ? { ...cached, posts: shown(cached.posts) } : cached;
}

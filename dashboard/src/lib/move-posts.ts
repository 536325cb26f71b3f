import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { crier } from './api.ts';
import type { PostSummary } from './post-summary.ts';
import { keys } from './query-keys.ts';

export interface Move {
  postGroupId: string;
  from: string;
  to: string;
}

export const reversed = (moves: readonly Move[]): Move[] =>
  moves.map(({ postGroupId, from, to }) => ({ postGroupId, from: to, to: from }));

/** Shows the new times at once, stores them, and shows the old ones again where that fails. Returns the first error, or null. */
export async function movePosts(client: QueryClient, moves: readonly Move[]): Promise<unknown> {
  // An answer that is under way has the old times.
  await client.cancelQueries({ queryKey: keys.posts });
  showTimes(client, moves);
  let failure: unknown = null;
  await inTurns(moves, async (move) => {
    try {
      await crier.updatePost({ postGroupId: move.postGroupId, scheduledTime: move.to });
    } catch (error) {
      failure ??= error;
      showTimes(client, reversed([move]));
    }
  });
  void client.invalidateQueries({ queryKey: keys.posts });
  for (const { postGroupId } of moves) void client.invalidateQueries({ queryKey: keys.post(postGroupId) });
  return failure;
}

/** A few requests at a time, in order. */
export async function inTurns<T>(items: readonly T[], run: (item: T) => Promise<void>, places = 4): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: places }, worker));
}

type Cached = PostSummary[] | InfiniteData<{ posts: PostSummary[] }> | undefined;

function showTimes(client: QueryClient, moves: readonly Move[]) {
  const times = new Map(moves.map(({ postGroupId, to }) => [postGroupId, to]));
  const moved = (posts: PostSummary[]) =>
    posts.map((post) => {
      const scheduledTime = times.get(post.postGroupId);
      return scheduledTime === undefined ? post : { ...post, scheduledTime };
    });
  client.setQueriesData<Cached>({ queryKey: keys.posts }, (cached) => {
    if (Array.isArray(cached)) return moved(cached);
    return cached?.pages && { ...cached, pages: cached.pages.map((page) => ({ ...page, posts: moved(page.posts) })) };
  });
}

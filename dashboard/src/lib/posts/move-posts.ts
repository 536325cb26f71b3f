import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { keys } from '../query-keys.ts';
import type { PostSummary } from './post-summary.ts';
import { type ChangeResult, postsApi } from './posts-api.ts';

export interface Move {
  postGroupId: string;
  from: string;
  to: string;
}

export const reversed = (moves: readonly Move[]): Move[] =>
  moves.map(({ postGroupId, from, to }) => ({ postGroupId, from: to, to: from }));

/** Moves posts optimistically and reverts on failure. Returns the first error, or null. */
export async function movePosts(client: QueryClient, moves: readonly Move[]): Promise<unknown> {
  // A response in flight has the old times.
  await client.cancelQueries({ queryKey: keys.posts });
  showTimes(client, moves);
  const failure = await (moves.length === 1 ? storeOne(moves[0]!) : storeMany(moves)).catch((error: unknown) => error);
  if (failure) showTimes(client, reversed(moves));
  // Some posts may have been moved, so read the actual state.
  await client.invalidateQueries({ queryKey: keys.posts });
  for (const { postGroupId } of moves) void client.invalidateQueries({ queryKey: keys.post(postGroupId) });
  return failure ?? null;
}

async function storeOne({ postGroupId, to }: Move): Promise<null> {
  await postsApi.reschedulePost(postGroupId, to);
  return null;
}

/** Posts that move by the same number of minutes share a call. Moves across a clock change need another. */
async function storeMany(moves: readonly Move[]): Promise<unknown> {
  const minutes = (move: Move) => (Date.parse(move.to) - Date.parse(move.from)) / 60_000;
  const results: ChangeResult[] = [];
  for (const [byMinutes, same] of Map.groupBy(moves, minutes)) {
    for (const ids of batches(same.map(({ postGroupId }) => postGroupId)))
      results.push(...(await postsApi.reschedulePosts(ids, byMinutes)).results);
  }
  return failureIn(results);
}

/** The error of the first failed post, with the number of failed posts. */
function failureIn(results: readonly ChangeResult[]): Error | null {
  const [first, ...others] = results.flatMap((result) => problemIn(result) ?? []);
  return first && others.length > 0 ? new Error(`${others.length + 1} posts: ${first.message}`) : (first ?? null);
}

/** Why this post was not changed. */
export function problemIn({ problem }: ChangeResult): Error | null {
  if (!problem) return null;
  // With a validation report, the hint is for programmers.
  const hint = problem.validation ? null : problem.hint;
  return new Error([problem.message ?? problem.error, hint].filter(Boolean).join(' '));
}

const maxBatch = 500;

export const batches = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / maxBatch) }, (_, index) =>
    items.slice(index * maxBatch, (index + 1) * maxBatch),
  );

type Cached = PostSummary[] | InfiniteData<{ posts: PostSummary[] }> | undefined;

/** Changes the times in all cached lists. */
export function showTimes(client: QueryClient, moves: readonly Move[]) {
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

import { z } from 'zod';
import type { Context, PlatformClient } from './context.ts';

/** Null, never 0, if the platform does not count it or does not report it. */
type Count = number | null;
/** A count in a vendor's response. Missing, hidden or invalid values become null. */
export const OptionalCount = z
  .int()
  .nonnegative()
  .nullish()
  .catch(null)
  .transform((count): Count => count ?? null);
export type PostCounts = { reactions: Count; comments: Count; reposts: Count; quotes: Count; saves: Count };
export type ProfileCounts = { followers: Count; following: Count; posts: Count };

export type Stats<C> = AccountStats<C> | PublicStats;

/** Read with the account's credentials, and therefore within its rate limit. */
export interface AccountStats<C> extends PerCall {
  readonly access: 'account';
  /** Counts of the posts that still exist. Takes at most `postsPerCall` ids, all of this account. */
  posts(ids: readonly string[], ctx: Context<C>): Promise<Map<string, PostCounts>>;
  profile(ctx: Context<C>): Promise<ProfileCounts>;
}

/** Public data, so accounts share calls and one rate limit. */
export interface PublicStats extends PerCall {
  readonly access: 'public';
  /** Counts of the posts that still exist. Takes at most `postsPerCall` ids, of any accounts. */
  posts(ids: readonly string[], ctx: PlatformClient): Promise<Map<string, PostCounts>>;
  profile(accountId: string, ctx: PlatformClient): Promise<ProfileCounts>;
}

interface PerCall {
  readonly postsPerCall: number;
}

import type { Context, PlatformClient } from './platform.ts';

/** Null: the network does not count it, or does not tell. Never 0 for that. */
type Count = number | null;
export type PostCounts = { reactions: Count; comments: Count; reposts: Count; quotes: Count; saves: Count };
export type ProfileCounts = { followers: Count; following: Count; posts: Count };

export type Stats<C> = AccountStats<C> | PublicStats;

/** Read with the account's credentials, and so within its own rate limit. */
export interface AccountStats<C> extends PerCall {
  readonly access: 'account';
  /** Of those that are still there. At most `postsPerCall` of this account. */
  posts(ids: readonly string[], ctx: Context<C>): Promise<Map<string, PostCounts>>;
  profile(ctx: Context<C>): Promise<ProfileCounts>;
}

/** Anybody may read them: accounts share calls, and one rate limit. */
export interface PublicStats extends PerCall {
  readonly access: 'public';
  /** Of those that are still there. At most `postsPerCall`, of any accounts. */
  posts(ids: readonly string[], ctx: PlatformClient): Promise<Map<string, PostCounts>>;
  profile(accountId: string, ctx: PlatformClient): Promise<ProfileCounts>;
}

interface PerCall {
  readonly postsPerCall: number;
}

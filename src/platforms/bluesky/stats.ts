import { maxListBytes, type PostCounts, type PublicStats } from '../kit/index.ts';
import { PostViews, ProfileView, publicApi, query } from './api.ts';

const at = { origin: publicApi, maxAnswerBytes: maxListBytes };

/** Read from the public AppView, which needs no session. */
export const stats: PublicStats = {
  access: 'public',
  // Lexicon app.bsky.feed.getPosts, read 2026-11.
  postsPerCall: 25,

  /** Bluesky omits deleted posts. */
  async posts(ids, ctx) {
    const { posts } = await query(PostViews, at, 'app.bsky.feed.getPosts', { uris: ids }, ctx);
    return new Map(
      posts.map(({ uri, likeCount, replyCount, repostCount, quoteCount, bookmarkCount }): [string, PostCounts] => [
        uri,
        {
          reactions: likeCount,
          comments: replyCount,
          reposts: repostCount,
          quotes: quoteCount,
          saves: bookmarkCount,
        },
      ]),
    );
  },

  async profile(accountId, ctx) {
    const profile = await query(ProfileView, at, 'app.bsky.actor.getProfile', { actor: accountId }, ctx);
    return { followers: profile.followersCount, following: profile.followsCount, posts: profile.postsCount };
  },
};

/** A number, or null if the network doesn't report it. */
export type Metric = number | null;

export interface ProfileNumbers {
  numbers: readonly { name: string; value: Metric }[];
  /** When they were read, if known. */
  readAt: string | null;
  /** Why numbers are missing. */
  notes: readonly string[];
}

interface Engagement {
  reactions: Metric;
  comments: Metric;
  reposts: Metric;
  impressions: Metric;
}

export interface PublishedPost {
  postGroupId: string;
  content: string;
  postedId: string;
}

export interface PostNumbers extends Engagement {
  postGroupId: string;
  content: string;
  /** The post no longer exists on the network. */
  isGone: boolean;
}

export interface PostList {
  posts: readonly PostNumbers[];
  /** Why numbers are missing. */
  notes: readonly string[];
}

/** Engagement on one day. */
export interface Day extends Engagement {
  date: string;
}

/** Reads a network's statistics. */
export interface StatisticsSource {
  readProfile(platformId: string, signal: AbortSignal): Promise<ProfileNumbers>;
  readPosts(platformId: string, posts: readonly PublishedPost[], signal: AbortSignal): Promise<PostList>;
  /** Absent: the network provides no daily data. */
  byDay?: {
    readFollowers(platformId: string, signal: AbortSignal): Promise<readonly { date: string; count: Metric }[]>;
    readEngagement(
      platformId: string,
      signal: AbortSignal,
    ): Promise<{ days: readonly Day[]; notes: readonly string[] }>;
  };
}

/** A number that a network gave, or null if it does not report it. */
export type Metric = number | null;

export interface ProfileNumbers {
  numbers: readonly { name: string; value: Metric }[];
  /** When they were read, if that is known. */
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
  /** The network does not know the post. */
  isGone: boolean;
}

export interface PostList {
  posts: readonly PostNumbers[];
  /** Why numbers are missing. */
  notes: readonly string[];
}

/** What happened on one day. */
export interface Day extends Engagement {
  date: string;
}

/** Where the numbers of a network come from. */
export interface StatisticsSource {
  readProfile(platformId: string, signal: AbortSignal): Promise<ProfileNumbers>;
  readPosts(platformId: string, posts: readonly PublishedPost[], signal: AbortSignal): Promise<PostList>;
  /** Absent: the network reports nothing by day. */
  byDay?: {
    readFollowers(platformId: string, signal: AbortSignal): Promise<readonly { date: string; count: Metric }[]>;
    readEngagement(
      platformId: string,
      signal: AbortSignal,
    ): Promise<{ days: readonly Day[]; notes: readonly string[] }>;
  };
}

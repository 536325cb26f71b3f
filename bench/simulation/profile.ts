/** The user behaviour that affects how late posts are. None of it is measured: replace it with your own figures. */
export interface Profile {
  /** Targets on the busiest day, as a multiple of the month's average day. */
  busiestDay: number;
  /** Share of all targets due at exactly nine o'clock in their author's time zone. */
  atNine: number;
  /** Share of all targets due at another whole hour between 7 and 22. The rest is spread evenly over these hours. */
  atWholeHour: number;
  /** Share of all targets that share account and time with others. They are sent one after the other. */
  inRuns: number;
  runLength: number;
  /** The authors' time zones: hours from UTC, and the share of authors. */
  zones: readonly { offset: number; share: number }[];
  networks: readonly Network[];
}

export interface Network {
  name: string;
  share: number;
  /**
   * The duration of one post, from the first request to the last response: the median, and the sigma of its logarithm.
   */
  seconds: number;
  spread: number;
  /** The limit of an application over all its users, as the network documents it and the sandbox enforces it. */
  application?: { limit: number; windowSeconds: number };
}

const day = 86_400;

export const standardProfile: Profile = {
  busiestDay: 1.3,
  atNine: 0.4,
  atWholeHour: 0.3,
  inRuns: 0.05,
  runLength: 5,
  zones: [
    { offset: -8, share: 0.12 },
    { offset: -6, share: 0.08 },
    { offset: -5, share: 0.2 },
    { offset: -3, share: 0.06 },
    { offset: 0, share: 0.1 },
    { offset: 1, share: 0.24 },
    { offset: 2, share: 0.04 },
    { offset: 5.5, share: 0.07 },
    { offset: 8, share: 0.05 },
    { offset: 9, share: 0.04 },
  ],
  networks: [
    { name: 'X', share: 0.18, seconds: 0.6, spread: 0.5, application: { limit: 10_000, windowSeconds: day } },
    { name: 'LinkedIn', share: 0.16, seconds: 1.2, spread: 0.5, application: { limit: 100_000, windowSeconds: day } },
    { name: 'Instagram', share: 0.18, seconds: 6, spread: 0.7 },
    { name: 'Facebook', share: 0.16, seconds: 1.2, spread: 0.5 },
    { name: 'TikTok', share: 0.06, seconds: 10, spread: 0.7 },
    { name: 'YouTube', share: 0.04, seconds: 15, spread: 0.8 },
    { name: 'Threads', share: 0.08, seconds: 3, spread: 0.5 },
    { name: 'Bluesky', share: 0.06, seconds: 0.4, spread: 0.5 },
    { name: 'Mastodon', share: 0.04, seconds: 0.5, spread: 0.5 },
    { name: 'Telegram', share: 0.04, seconds: 0.3, spread: 0.5 },
  ],
};

/** What people do, as far as it decides how late posts are. None of it is measured: change it to what you know. */
export interface Profile {
  /** Targets of the busiest day, as a multiple of an average day of the month. */
  busiestDay: number;
  /** Of all targets: due at nine o'clock sharp, where their author lives. */
  atNine: number;
  /** Of all targets: due at another whole hour between 7 and 22. The rest is spread evenly over these hours. */
  atWholeHour: number;
  /** Of all targets: several for one account at the same time, which leave one after the other. */
  inRuns: number;
  runLength: number;
  /** Where authors live: hours from UTC, and how many of them. */
  zones: readonly { offset: number; share: number }[];
  networks: readonly Network[];
}

export interface Network {
  name: string;
  share: number;
  /** How long one post takes, from the first request to the last answer: the middle, and the sigma of its logarithm. */
  seconds: number;
  spread: number;
  /** Of an application, all users together: as the network documents it, and as the sandbox enforces it. */
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

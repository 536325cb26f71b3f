/** Keys of all advisory locks that are not derived from an id. Any number works if no other lock uses it. */
export const advisoryLocks = {
  /** Held in shared mode by every process that uses the embedded server. */
  embeddedUsers: 7_246_042,
  embeddedCreation: 7_246_049,
  migration: 7_246_041,
  /** Lets only one of several processes that start at the same time seed an empty database. */
  demo: 7_246_043,
  keyRotation: 7_246_045,
  firstUser: 7_246_048,
  /** The first half of a two-part key. */
  pendingSignUp: 7_246_047,
  fileDeletion: 7_246_046,
} as const;

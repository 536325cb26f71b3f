/** The keys of all advisory locks that are not made from an id. Each can be any number that no other has. */
export const advisoryLocks = {
  /** Held in shared mode by every process that uses the embedded server. */
  embeddedUsers: 7_246_042,
  embeddedCreation: 7_246_049,
  migration: 7_246_041,
  /** Processes that start at the same time seed an empty database once. */
  demo: 7_246_043,
  keyRotation: 7_246_045,
  firstUser: 7_246_048,
  /** The first of two parts. */
  pendingSignUp: 7_246_047,
  fileDeletion: 7_246_046,
} as const;

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * A request can delay its own turn with others. Code that takes a turn without `inLiveTurn` must check the credential
 * again under the lock, or have none: its reason is here.
 */
const direct: Record<string, string> = {
  'src/features/accounts/profile/email-change.ts': 'the session and the link are checked under the lock',
  'src/features/accounts/recovery/password-change.ts': 'the session and the password are checked under the lock',
  'src/features/accounts/recovery/password-reset.ts': 'the link is checked under the lock',
  'src/features/accounts/workspace/attach-user.ts': 'the owner and the consent are checked under the lock',
  'src/features/accounts/workspace/workspace.ts': 'what the owner creates is checked with requireLive',
  'src/features/auth/api-keys/api-keys.ts': 'can only take access away',
  'src/features/auth/api-keys/live-credential.ts': 'inLiveTurn itself',
  'src/features/auth/oauth/tokens.ts': 'the code or refresh token is checked under the lock',
  'src/features/auth/passkeys/passkeys.ts': 'the session is checked under the lock',
  'src/features/auth/sessions/sessions.ts': 'checked with requireLive',
  'src/features/auth/sign-in/sign-in.ts': 'the password is checked again under the lock',
  'src/features/connections/connect/connect.ts': 'checked with requireStillAllowed',
  'src/features/connections/connect/store-grants.ts': 'the flow is checked under the lock',
  'src/features/connections/disconnect.ts': 'for our own code, without a credential',
  'src/features/files/storing/receiving.ts': 'takes no credential: the upload URL is checked under the lock',
  'src/features/posts/create/create-post.ts': 'checks before it stores',
  'src/features/webhooks/webhooks.ts': 'checked with requireStillAllowed',
};

/** They are called in a transaction that has a turn. */
const called = [
  'src/features/account-data/queries.ts',
  'src/features/auth/oauth/queries.ts',
  'src/features/posts/create/plan-limits.ts',
  'src/features/users/queries.ts',
];

test('whatever locks a user or what an owner has takes a turn', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const found = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    const locks = /\b(lockUser|lockUsers|lockWithAllManaged|lockUserOf|lockPlan)\(/.test(text);
    return locks && !/\b(inLockTurn|inLiveTurn)\(/.test(text);
  });
  expect(found.toSorted()).toEqual(called);
});

test('every turn for a lock is followed by a check of the credential', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const taking = files.filter((file) => /\binLockTurn\(/.test(readFileSync(file, 'utf8')));
  expect(taking.toSorted()).toEqual(Object.keys(direct).toSorted());
});

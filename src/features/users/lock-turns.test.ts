import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * A request can delay its own turn with others. Code that takes a turn without `inLiveTurn` must check the credential
 * again under the lock, or have none: its reason is here.
 */
const direct: Record<string, string> = {
  'src/features/accounts/workspace/attach-user.ts': 'the owner and the consent are checked under the lock',
  'src/features/accounts/workspace/workspace.ts': 'what the owner creates is checked with requireLive',
  'src/features/auth/api-keys/api-keys.ts': 'can only take access away',
  'src/features/auth/api-keys/live-credential.ts': 'inLiveTurn itself',
  'src/features/auth/oauth/tokens.ts': 'the code or refresh token is checked under the lock',
  'src/features/auth/passkeys/passkeys.ts': 'the session is checked under the lock',
  'src/features/auth/sessions/sessions.ts': 'checked with requireLive',
  'src/features/connections/connect/connect.ts': 'checked with requireStillAllowed',
  'src/features/connections/connect/store-grants.ts': 'the flow is checked under the lock',
  'src/features/connections/disconnect.ts': 'for our own code, without a credential',
  'src/features/files/storing/receiving.ts': 'takes no credential: the upload URL is checked under the lock',
  'src/features/posts/create/create-post.ts': 'checks before it stores',
  'src/features/webhooks/webhooks.ts': 'checked with requireStillAllowed',
};

test('every turn for a lock is followed by a check of the credential', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const taking = files.filter((file) => /\binLockTurn\(/.test(readFileSync(file, 'utf8')));
  expect(taking.toSorted()).toEqual(Object.keys(direct).toSorted());
});

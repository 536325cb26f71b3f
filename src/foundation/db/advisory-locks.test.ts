import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { advisoryLocks, type LockedThing, lockedThings } from './advisory-locks.ts';

test('no two advisory locks have the same key', () => {
  const keys = Object.values(advisoryLocks);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(lockedThings).size).toBe(lockedThings.length);
});

const sources = ['src', 'migrations'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(ts|sql)$/.test(path) && !path.endsWith('.test.ts')),
);

test('every advisory lock in the source has its key from the registry', () => {
  const fromRegistry = /advisoryLocks\.\w+|usersLock|creationLock/;
  const others = sources.filter((path) =>
    [...readFileSync(path, 'utf8').matchAll(/pg_\w*advisory\w*[^\n]*/g)].some(([call]) => !fromRegistry.test(call)),
  );
  expect(others.sort()).toEqual([
    // Taken at the end of a transaction by the triggers that count quotas.
    'migrations/0014-quotas.sql',
    // The key is in the next line: advisoryLocks.keyRotation.
    'src/features/connections/credentials/rotation-queries.ts',
    'src/foundation/db/advisory-locks.ts',
    // The key is derived from the path of the data directory.
    'src/foundation/db/embedded/data-dir-lock.ts',
  ]);
});

/**
 * Requests that wait for a lock occupy database connections, so an owner may make only a few of them wait. The proof is
 * a row of `lock-turns.slow.test.ts`, or why no request waits for the lock.
 */
const turns: Record<LockedThing, { row: string } | { reason: string }> = {
  'plan of': { row: "'posts of a limited plan', ofOwner('plan')" },
  'labels of': { row: "'new labels', ofOwner('labels')" },
  'slots of': { row: "'posts for the next slot', ofOwner('slots')" },
  'webhooks of': { row: "'new webhooks', ofOwner('webhooks')" },
  composer_drafts: { row: "'new composer drafts'" },
  adopt: { reason: 'held by publishers, one lane at a time' },
  'export of': { reason: 'taken only if it is free' },
};

/**
 * The same for the rows of users: the files that lock one, with the row of `lock-turns.slow.test.ts`, or why few
 * requests wait.
 */
const users: Record<string, { row: string } | { reason: string }> = {
  'src/features/accounts/profile/email-change.ts': { reason: 'the password is checked before, one at a time' },
  'src/features/accounts/recovery/password-change.ts': { reason: 'the password is checked before, one at a time' },
  'src/features/accounts/recovery/password-reset.ts': { reason: '60 an hour' },
  'src/features/accounts/workspace/attach-user.ts': { reason: 'in a lock turn; needs the consent of a user' },
  'src/features/accounts/workspace/workspace.ts': { row: "'names of managed users'" },
  'src/features/auth/api-keys/api-keys.ts': { row: "'revoked keys'" },
  'src/features/auth/oauth/tokens.ts': { reason: 'in a lock turn of the IP address' },
  'src/features/auth/passkeys/passkeys.ts': { reason: 'in a lock turn; needs a new passkey' },
  'src/features/auth/sessions/sessions.ts': { row: "'what outlives a session'" },
  'src/features/auth/sign-in/sign-in.ts': { reason: 'the password is checked before, one at a time' },
  'src/features/connections/connect/connect.ts': { reason: 'in a lock turn' },
  'src/features/connections/connect/store-grants.ts': { row: "'connections of managed users'" },
  'src/features/webhooks/webhooks.ts': { row: "'new webhooks', ofOwner('webhooks')" },
};

test('every file that locks the row of a user is listed', () => {
  const locks = /\b(lockUser|lockUserOf|lockUsers|lockManagedUser|lockWithAllManaged|requireLive|requireLiveOwner)\(/;
  const parts = /queries\.ts$|live-|\/caller\.ts$|connection-links\.ts$|standing-access\.ts$/;
  const isListed = (path: string) => path.startsWith('src/features/') && !parts.test(path);
  const found = sources.filter((path) => isListed(path) && locks.test(readFileSync(path, 'utf8')));
  const inWebhooks = 'src/features/webhooks/webhooks.ts';
  expect([...found, inWebhooks].sort()).toEqual(Object.keys(users).sort());
  const rows = readFileSync('src/features/users/lock-turns.slow.test.ts', 'utf8');
  for (const proof of Object.values(users)) if ('row' in proof) expect(rows).toContain(proof.row);
});

/** The same for the rows of files. */
const media: Record<string, { row: string } | { reason: string }> = {
  'src/features/accounts/recovery/standing-access.ts': { reason: 'the password is checked before, or 60 an hour' },
  'src/features/accounts/workspace/workspace.ts': { reason: 'in a lock turn; ends a membership' },
  'src/features/files/storing/receiving.ts': { reason: 'in a lock turn of the user' },
  'src/features/files/storing/verify-upload.ts': { reason: 'the files of an owner are inspected two at a time' },
  'src/features/media/library/attach-from-library.ts': { row: "'files from the library'" },
  'src/features/media/library/remove-from-library.ts': { row: "'deletions from the library'" },
  'src/features/media/remove-media.ts': { reason: 'in the lock turn of the post' },
  'src/features/media/update-media.ts': { row: "'changes of files'" },
  'src/features/publishing/attempt/return-to-draft.ts': { reason: 'held by publishers, one lane at a time' },
};

test('every file that locks the rows of files is listed', () => {
  const locks =
    /\b(setDetails|deleteMedia|setReady|setLost|startReceiving|recordMissing|lockOriginals|moveToLibrary|deleteFromLibrary|failOpenUploads)\(/;
  const found = sources.filter(
    (path) => path.endsWith('.ts') && !path.endsWith('queries.ts') && locks.test(readFileSync(path, 'utf8')),
  );
  expect(found.sort()).toEqual(Object.keys(media));
  // A new statement that changes such rows belongs to a function above, or to a task.
  const changing = /updateTable\('media'\)|deleteFrom\('media'\)|(update|delete from) media\b/;
  const statements = sources.filter((path) => path.endsWith('.ts') && changing.test(readFileSync(path, 'utf8')));
  expect(statements.sort()).toEqual([
    'src/features/accounts/workspace/queries.ts',
    'src/features/files/queries.ts',
    'src/features/files/renditions/rendition-queries.ts',
    'src/features/media/library/queries.ts',
    'src/foundation/errors/media.ts',
    'src/surfaces/admin/backup/queries.ts',
  ]);
  const rows = readFileSync('src/features/users/lock-turns.slow.test.ts', 'utf8');
  for (const proof of Object.values(media)) if ('row' in proof) expect(rows).toContain(proof.row);
});

test.each(Object.entries(turns))('requests that wait for the lock %s take turns', (_thing, proof) => {
  const rows = readFileSync('src/features/users/lock-turns.slow.test.ts', 'utf8');
  expect('row' in proof ? rows : proof.reason).toContain('row' in proof ? proof.row : proof.reason);
});

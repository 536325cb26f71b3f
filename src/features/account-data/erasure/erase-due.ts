import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { countManagedUsers } from '../../accounts/workspace/queries.ts';
import { detachUser } from '../../accounts/workspace/workspace.ts';
import { ownerActor, systemActor } from '../../audit/actors.ts';
import { queueMail } from '../../mail/mails.ts';
import { closeBrand, closeDue, selectBrands, selectDue, selectMembers } from '../queries.ts';
import { eraseRecords } from './erase-user.ts';

type ErasingApp = Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'log'>;

/**
 * Erases the accounts whose users have asked for it seven days ago. A process can die anywhere in it: the account stays
 * due until its last row is gone, so the next run continues. One account that fails does not keep the others.
 */
export async function eraseDueAccounts(app: ErasingApp, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const userId of await selectDue(app.db, app.clock.now())) {
    signal?.throwIfAborted();
    await eraseDue(app, userId, signal).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some accounts could not be erased.');
}

async function eraseDue(app: ErasingApp, userId: string, signal: AbortSignal | undefined) {
  const user = await closeDue(app.db, userId, app.clock.now());
  if (!user) return;
  for (const memberId of await selectMembers(app.db, userId)) await letGo(app, userId, memberId);
  for (const brandId of await selectBrands(app.db, userId)) {
    const brand = await closeBrand(app.db, userId, brandId, app.clock.now());
    if (brand) await eraseRecords(app, brand, { by: systemActor, signal });
  }
  // A brand has become a member, or is on hold: a later run continues.
  if ((await countManagedUsers(app.db, userId)) > 0) return;
  const done = await eraseRecords(app, user, {
    by: systemActor,
    signal,
    atEnd: (tx, email) => queueMail(app, tx, { to: email, kind: 'account_deleted', data: { at: now(app) } }),
  });
  app.log.info({ userId, ...done }, 'an account was erased, as its user had asked');
}

/** A member with a password keeps the account, like anyone who leaves a workspace. */
async function letGo(app: ErasingApp, ownerId: string, memberId: string) {
  await detachUser(app, ownerId, memberId, { owner: systemActor, member: ownerActor(ownerId) }).catch(
    (error: unknown) => {
      // The member has just left, or is erased too.
      if (!(error instanceof Problem) || error.key !== 'managed_user_not_found') throw error;
    },
  );
}

const now = ({ clock }: Pick<App, 'clock'>) => clock.now().toISOString();

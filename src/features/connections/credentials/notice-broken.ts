import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { shownNameOf } from '../../../platforms/descriptions.ts';
import { notifyUser } from '../../mail/notices.ts';
import { claimBrokenNotice } from '../queries.ts';

export type NoticeApp = Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>;

/**
 * Notifies the owner by mail that the account must be reconnected, unless a notice was already sent and the
 * connection has not worked since. Call it in the transaction that records the rejection.
 */
export async function noticeBroken(app: NoticeApp, tx: Db, connectionId: string, reason: string): Promise<void> {
  const now = app.clock.now();
  const broken = await claimBrokenNotice(tx, connectionId, now);
  if (!broken) return;
  const { userId, platform, accountId, handle, displayName } = broken;
  await notifyUser(app, tx, userId, {
    kind: 'connection_broken',
    data: {
      network: shownNameOf(platform),
      account: handle || displayName || accountId,
      reason,
      link: `${app.publicUrl}/channels`,
    },
    once: `connection_broken ${connectionId} ${now.toISOString()}`,
  });
}

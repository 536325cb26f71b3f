import type { App } from '../../src/app.ts';
import { unseal } from '../../src/lib/seal.ts';
import { mailContext } from '../../src/mail/mails.ts';

/** The mails that wait to be sent, oldest first, with what is sealed in them. */
export async function queuedMails({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>) {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'recipient', 'kind', 'data'])
    .where('next_attempt_at', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, recipient, kind, data }) => ({
    to: recipient,
    kind,
    data: JSON.parse(unseal(data!, mailContext(id), sealingKeys)),
  }));
}

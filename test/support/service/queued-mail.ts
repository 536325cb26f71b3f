import type { App } from '../../../src/app.ts';
import { type MailData, type MailKind, mailContext } from '../../../src/features/mail/mails.ts';
import { unseal } from '../../../src/foundation/lib/seal.ts';

/** The data of queued mails of this kind to an address, oldest first. */
export async function queuedMails<Kind extends MailKind>(
  { db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>,
  to: string,
  kind: Kind,
): Promise<MailData[Kind][]> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'data'])
    .where('recipient', '=', to)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();
  return rows.map(({ id, data }) => JSON.parse(unseal(data ?? '', mailContext(id), sealingKeys)));
}

/** The token in the link of the newest such mail. */
export async function tokenFor(
  app: Pick<App, 'db' | 'sealingKeys'>,
  to: string,
  kind: 'verify_email' | 'reset_password' | 'invitation' | 'confirm_new_email',
): Promise<string> {
  const mail = (await queuedMails(app, to, kind)).at(-1);
  if (!mail) throw new Error(`No ${kind} waits for ${to}.`);
  return new URL(mail.link).searchParams.get('token') ?? '';
}

/** The queued mails, oldest first, with their sealed data. */
export async function waitingMails({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>) {
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

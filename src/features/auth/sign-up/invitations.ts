import type { App } from '../../../app.ts';
import type { PlanKey } from '../../../config/plans.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { mailIsOn } from '../../mail/mailer.ts';
import { queueMail } from '../../mail/mails.ts';
import { checkInput } from '../../users/check-input.ts';
import type { UserRow } from '../../users/queries.ts';
import { NewInvitation } from '../../users/schema.ts';
import { hashNewPassword } from '../passwords/passwords.ts';
import { requireInvitable } from './policy.ts';
import { deleteInvitation, findEmailHolder, findInvitation, upsertInvitation } from './queries.ts';
import { addVerifiedUser } from './verification.ts';

const validMs = 7 * 24 * 3_600_000;

export interface SentInvitation {
  email: string;
  link: string;
  expiresAt: Date;
  /** Whether the invitation was also sent by mail. */
  isMailed: boolean;
}

/** Creates a link with which one person can sign up. An earlier link for the same address stops working. */
export async function invite(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>,
  input: { email: string; plan?: PlanKey | undefined },
  actor: Actor,
): Promise<SentInvitation> {
  requireInvitable(app);
  const { email, plan = null } = checkInput(NewInvitation, input);
  const token = newSecret();
  const tokenHash = hashSecret(token);
  const link = `${app.publicUrl}/sign-up?token=${token}`;
  const now = app.clock.now();
  const expiresAt = new Date(now.getTime() + validMs);
  const isMailed = mailIsOn(app);
  await app.db.transaction().execute(async (tx) => {
    const holder = await findEmailHolder(tx, email);
    if (holder && !holder.isPlaceholder) throw new Problem('email_taken');
    const userId = await upsertInvitation(tx, { userId: app.newId(), email, plan, tokenHash, expiresAt }, now);
    await recordAudit(app, tx, { userId, event: 'invited', actor, details: { email, plan } });
    const data = { link, expiresAt: expiresAt.toISOString() };
    if (isMailed) await queueMail(app, tx, { to: email, kind: 'invitation', data });
  });
  return { email, link, expiresAt, isMailed };
}

/** The invitation of a link. Null if the link is invalid. */
export const invitationOf = ({ db, clock }: Pick<App, 'db' | 'clock'>, token: string) =>
  findInvitation(db, hashSecret(token), clock.now());

/** Creates the invited user. The invitation was sent to the address, so the address counts as verified. */
export async function acceptInvitation(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config' | 'sealingKeys' | 'publicUrl'>,
  { email, password, name, token }: { email: string; password: string; name?: string | undefined; token: string },
  caller: { ip: string },
): Promise<UserRow> {
  requireInvitable(app);
  const invitation = await invitationOf(app, token);
  if (!invitation) throw new Problem('link_token_invalid');
  if (invitation.email !== email) throw new Problem('invitation_for_other_email');
  const passwordHash = await hashNewPassword(password, email, caller.ip);
  const { userId: id, plan } = invitation;
  return app.db.transaction().execute(async (tx) => {
    if (!(await deleteInvitation(tx, hashSecret(token)))) throw new Problem('link_token_invalid');
    return addVerifiedUser(app, tx, { id, email, name, passwordHash, plan: plan ?? undefined }, caller);
  });
}

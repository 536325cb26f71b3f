import type { App } from '../../app.ts';
import { unseal } from '../../foundation/lib/seal.ts';
import { contentOf, isMailKind } from './content.ts';
import { messageIdOf, type OutgoingMail, senderOf } from './mailer.ts';
import { mailContext } from './mails.ts';
import type { ClaimedMail } from './queries.ts';
import { renderMail } from './render.ts';

/**
 * Builds the mail to send. Throws if its data cannot be decrypted, or if only a newer version of Crier knows the
 * kind.
 */
export function composeMail(
  app: Pick<App, 'config' | 'publicUrl' | 'sealingKeys'>,
  { id, to, kind, data }: Pick<ClaimedMail, 'id' | 'to' | 'kind' | 'data'>,
): OutgoingMail {
  if (!isMailKind(kind)) throw new Error(`A mail has a kind that this version of Crier does not know: ${kind}`);
  const content = contentOf(kind, JSON.parse(unseal(data, mailContext(id), app.sealingKeys)));
  const from = senderOf(app);
  return { ...renderMail(content, app), to, from, messageId: messageIdOf(id, from) };
}

import type { PlatformAccess } from '../../platforms/kit/http/client.ts';
import { MailError, type Mailer } from './mailer.ts';

/** The sandbox stores mails and shows them on its page `/mail`. */
export function sandboxMailer(sandboxUrl: string, { fetch: send }: Pick<PlatformAccess, 'fetch'>): Mailer {
  return {
    async send({ to, from, subject, text, html, messageId }, signal) {
      const sender = from.name ? `${from.name} <${from.address}>` : from.address;
      const response = await send(`${sandboxUrl}/_control/mail`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, from: sender, subject, text, html, messageId }),
        signal,
      }).catch((error: Error) => {
        throw new MailError(`The sandbox cannot be reached: ${error.message}`, { isPermanent: false });
      });
      await response.body?.cancel();
      if (!response.ok) throw new MailError(`The sandbox returned status ${response.status}.`, { isPermanent: false });
    },
  };
}

import { isIP } from 'node:net';
import type { App } from '../../app.ts';
import type { MailAddress } from '../../foundation/lib/mail-url.ts';
import type { RenderedMail } from './render.ts';

export interface OutgoingMail extends RenderedMail {
  to: string;
  from: MailAddress;
  /** The same in every attempt, so that a mail that arrives twice is recognised. */
  messageId: string;
}

/** Where mails go. */
export interface Mailer {
  /** Throws `MailError`. The signal ends the attempt. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** Why a mail was not taken. The message is safe to log: it holds no address and no link. */
export class MailError extends Error {
  override name = 'MailError';
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent }: { isPermanent: boolean }) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

/** Whether a mail to a user arrives somewhere: at a mail server, or at the sandbox's page. */
export const mailIsOn = ({ config }: Pick<App, 'config'>) =>
  config.mailServer !== null || config.platformMode === 'sandbox';

/** An address at a bare IP address is refused by most mail servers, so that one is never made up. */
export function senderOf({ config, publicUrl }: Pick<App, 'config' | 'publicUrl'>): MailAddress {
  const { hostname } = new URL(publicUrl);
  const domain = isIP(hostname) || hostname.startsWith('[') ? 'localhost' : hostname;
  return config.mailFrom ?? { name: 'Crier', address: `crier@${domain}` };
}

export const messageIdOf = (id: string, { address }: MailAddress) => `<${id}@${address.split('@').at(-1)}>`;

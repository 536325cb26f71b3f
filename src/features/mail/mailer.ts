import { isIP } from 'node:net';
import type { App } from '../../app.ts';
import type { MailAddress } from '../../foundation/lib/mail-url.ts';
import type { RenderedMail } from './render.ts';

export interface OutgoingMail extends RenderedMail {
  to: string;
  from: MailAddress;
  /** The same in every attempt, so that duplicates of a mail can be recognized. */
  messageId: string;
}

/** The transport for mails. */
export interface Mailer {
  /** Throws `MailError`. The signal aborts the attempt. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** Why a mail was not accepted. The message is safe to log: it contains no address and no link. */
export class MailError extends Error {
  override name = 'MailError';
  readonly isPermanent: boolean;

  constructor(message: string, { isPermanent }: { isPermanent: boolean }) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

/** Whether mails to users are delivered anywhere: to a mail server or to the sandbox's page. */
export const mailIsOn = ({ config }: Pick<App, 'config'>) =>
  config.mailServer !== null || config.platformMode === 'sandbox';

/** Most mail servers reject an address with a bare IP address as its domain, so none is generated. */
export function senderOf({ config, publicUrl }: Pick<App, 'config' | 'publicUrl'>): MailAddress {
  const { hostname } = new URL(publicUrl);
  const domain = isIP(hostname) || hostname.startsWith('[') ? 'localhost' : hostname;
  return config.mailFrom ?? { name: 'Crier', address: `crier@${domain}` };
}

export const messageIdOf = (id: string, { address }: MailAddress) => `<${id}@${address.split('@').at(-1)}>`;

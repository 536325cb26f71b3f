import { createTransport } from 'nodemailer';
import type { MailServer } from '../../foundation/lib/mail-url.ts';
import { smtpOptions } from './smtp-mailer.ts';

const limitMs = 10_000;

/** Connects and signs in, without sending anything. Null if that works, otherwise why not. */
export async function checkMailServer(server: MailServer): Promise<string | null> {
  try {
    await createTransport(smtpOptions(server, AbortSignal.timeout(limitMs))).verify();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

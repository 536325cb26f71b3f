import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { isLocalServer, isMailAddress, type MailServer } from '../../foundation/lib/mail-url.ts';
import { MailError, type Mailer, type OutgoingMail } from './mailer.ts';

/** A server that is silent for this long hangs. The signal limits the whole attempt. */
const silenceMs = 30_000;

/** Opens a connection per mail, so that one that hangs does not delay the others. */
export function smtpMailer(server: MailServer): Mailer {
  return {
    async send(mail, signal) {
      if (!isMailAddress(mail.to))
        throw new MailError('The recipient is not a valid email address.', { isPermanent: true });
      try {
        await createTransport(smtpOptions(server, signal)).sendMail(messageOf(mail));
      } catch (error) {
        throw asMailError(error, signal);
      }
    },
  };
}

/**
 * A message in nodemailer's format. Names, addresses and subject are separate values, so none of them can end a
 * header.
 */
export const messageOf = ({ to, from, subject, text, html, messageId }: OutgoingMail) => ({
  from,
  to: { name: '', address: to },
  envelope: { from: from.address, to: [to] },
  subject,
  text,
  html,
  messageId,
  // Prevents automatic replies, such as out-of-office messages.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Credentials leave this machine over TLS only. Connections within this machine cannot be intercepted, and
 * certificates are rarely issued for it, so they are not checked there.
 */
function smtpOptions(server: MailServer, signal: AbortSignal) {
  const { host, port, isTls, credentials } = server;
  const isLocal = isLocalServer(server);
  return {
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && credentials !== null && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    getSocket: (_options: unknown, callback: (error: Error | null, opened?: { connection: Socket }) => void) =>
      openSocket(host, port, signal, callback),
  };
}

/** Uses our own socket, because nodemailer cannot abort an attempt. */
function openSocket(
  host: string,
  port: number,
  signal: AbortSignal,
  callback: (error: Error | null, opened?: { connection: Socket }) => void,
) {
  const socket = connect({ host, port, signal });
  socket.once('error', callback);
  socket.once('connect', () => {
    socket.off('error', callback);
    // nodemailer notices the end in any case. An error without a listener would end the process.
    socket.on('error', () => {});
    callback(null, { connection: socket });
  });
}

/**
 * The recipient or the mail itself was permanently rejected. Any other error may be temporary, or go away once the
 * operator has fixed it.
 */
function asMailError(error: unknown, signal: AbortSignal): MailError {
  if (signal.aborted) return new MailError('The mail server did not respond in time.', { isPermanent: false });
  const { message, command, responseCode = 0 } = error as Error & { command?: string; responseCode?: number };
  const isRefused = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  return new MailError(withoutLinks(message), { isPermanent: isRefused });
}

const maxReasonLength = 300;

/** A server may quote the rejected mail, and a mail may contain a sign-in link. */
const withoutLinks = (text: string) =>
  text
    .replace(/\S*(:\/\/|token=)\S*/gi, '[link]')
    .replace(/\s+/g, ' ')
    .slice(0, maxReasonLength)
    .toWellFormed();

const checkMs = 10_000;

/** Connects and signs in without sending anything. Null if that works, otherwise the reason. */
export async function checkMailServer(server: MailServer): Promise<string | null> {
  try {
    await createTransport(smtpOptions(server, AbortSignal.timeout(checkMs))).verify();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

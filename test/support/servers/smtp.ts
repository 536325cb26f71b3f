import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { secretWatch } from '../secrets/watch.ts';
import { certificateFor } from './certificate.ts';
import { type ParsedMail, parseMail } from './parse-mail.ts';

export interface ReceivedMail extends ParsedMail {
  /** The addresses of the envelope. */
  from: string;
  to: string[];
  isEncrypted: boolean;
  user: string | null;
}

export interface SmtpOptions {
  /** How the server encrypts, with a self-signed certificate. Default: not at all. */
  encryption?: 'none' | 'starttls' | 'tls';
  /** Required credentials. Default: none. */
  login?: { user: string; password: string };
}

/** The server's reply to a recipient, or to the mail itself. It hangs while a promise is pending. */
interface Behaviour {
  recipient?: SmtpRefusal | Promise<void>;
  data?: SmtpRefusal | Promise<void>;
}
export interface SmtpRefusal {
  code: number;
  message: string;
}

/** A real mail server on this machine. */
export async function openSmtpServer({ encryption = 'none', login }: SmtpOptions = {}) {
  const received: ReceivedMail[] = [];
  const logins: string[] = [];
  const behaviours = new Map<string, Behaviour>();

  const server = new SMTPServer({
    ...(encryption !== 'none' && certificateFor('mail.test')),
    secure: encryption === 'tls',
    ...(encryption === 'none' && { disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'] }),
    allowInsecureAuth: encryption === 'none',
    authOptional: !login,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username = '', password = '' }, _session, callback) {
      logins.push(`${username}:${password}`);
      if (username === login?.user && password === login.password) callback(null, { user: username });
      else callback(Object.assign(new Error('Wrong user or password'), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, callback) => void behave(behaviours.get(address)?.recipient, callback),
    async onData(stream, session, callback) {
      const chunks: Buffer[] | null = await stream.toArray().catch(() => null);
      // The client has disconnected.
      if (!chunks) return;
      const raw = Buffer.concat(chunks).toString();
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const mail = parseMail(raw);
      secretWatch.output('a mail', `${raw}\n${mail.text}\n${mail.html}`, ['link token']);
      received.push({
        ...mail,
        from: mailFrom ? mailFrom.address : '',
        to,
        isEncrypted: session.secure,
        user: typeof session.user === 'string' ? session.user : null,
      });
      await behave(behaviours.get(to[0] ?? '')?.data, callback);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.server.address() as AddressInfo;

  return {
    port,
    /** Mails that arrived in full, including those rejected afterwards. */
    received: (to?: string) => received.filter((mail) => to === undefined || mail.to.includes(to)),
    /** Every pair of credentials that reached the server. */
    logins,
    behave: (to: string, behaviour: Behaviour) => void behaviours.set(to, behaviour),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function behave(what: SmtpRefusal | Promise<void> | undefined, callback: (error?: Error | null) => void) {
  if (what instanceof Promise || what === undefined) {
    await what;
    return callback();
  }
  callback(Object.assign(new Error(what.message), { responseCode: what.code }));
}

import { type MailData, type MailKind, queueMail } from '../../../src/features/mail/mails.ts';
import { type MailSender, type SenderOptions, startMailSender } from '../../../src/features/mail/sender.ts';
import { eventually } from '../eventually.ts';
import { openSmtpServer, type SmtpOptions } from '../servers/smtp.ts';
import { testApp, testClock } from '../service/app.ts';
import { recordedLog } from '../service/recorded-log.ts';

export interface MailStageOptions extends SmtpOptions {
  /** Builds the URL from the server's port. Default: without credentials, on this machine. */
  mailUrl?: (port: number) => string;
  environment?: Record<string, string>;
}

/** A service that sends mail through a real server, with a clock that the test moves. */
export async function mailStage({ mailUrl, environment, ...smtp }: MailStageOptions = {}) {
  const clock = testClock();
  const { log, lines } = recordedLog();
  const server = await openSmtpServer(smtp);
  const MAIL_URL = mailUrl?.(server.port) ?? `smtp://127.0.0.1:${server.port}`;
  const { app, database, close } = await testApp({
    clock,
    log,
    publicUrl: 'https://crier.example',
    environment: { MAIL_URL, ...environment },
  });
  const senders: MailSender[] = [];
  const rows = async () => (await database.pool.query('select * from mails order by id')).rows;

  return {
    app,
    clock,
    lines,
    server,
    database,
    rows,
    row: async (to: string) => (await rows()).find(({ recipient }) => recipient === to),
    start(options?: SenderOptions) {
      const sender = startMailSender(app, options);
      senders.push(sender);
      return sender;
    },
    queue: <Kind extends MailKind>(to: string, kind: Kind, data: MailData[Kind], once?: string) =>
      queueMail(app, app.db, { to, kind, data, ...(once && { once }) }),
    /** Waits until the mail has been attempted this many times and its outcome is recorded. */
    attempted: (to: string, attempts = 1) =>
      eventually(
        async () => {
          const row = (await rows()).find(({ recipient }) => recipient === to);
          if (row?.attempts !== attempts || !(row.sent_at || row.error)) throw new Error('It is still being sent.');
          return row;
        },
        { interval: 20 },
      ),
    async advance(seconds: number) {
      clock.advance({ seconds });
      await database.pool.query(`select pg_notify('mail_queued', '')`);
    },
    async close() {
      await Promise.all(senders.map((sender) => sender.stop(0)));
      await close();
      await server.close();
    },
  };
}

export type MailStage = Awaited<ReturnType<typeof mailStage>>;

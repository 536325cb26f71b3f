import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { MailSenderOptions } from '../../../test/support/processes/mail-sender.ts';
import { headerIn } from '../../../test/support/servers/parse-mail.ts';
import { openSmtpServer } from '../../../test/support/servers/smtp.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { sealingKey } from '../../foundation/lib/seal.ts';
import { queueMail } from './mails.ts';
import { startMailSender } from './sender.ts';

const program = fileURLToPath(new URL('../../../test/support/processes/mail-sender.ts', import.meta.url));
const sealedWith = '5e'.repeat(32);
const leaseMs = 2000;

test('after a kill between the answer of the server and its record, the mail is sent again under its Message-ID', async () => {
  const server = await openSmtpServer();
  onTestFinished(() => server.close());
  const environment = { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'crier@example.com' };
  const { app, database, close } = await testApp({ environment });
  onTestFinished(close);
  expect(app.sealingKeys.current).toEqual(sealingKey(sealedWith));

  // The server delays its response until a lock prevents the sender from recording it.
  const { promise: locked, resolve: answer } = Promise.withResolvers<void>();
  server.behave('ada@example.com', { data: locked });
  await queueMail(app, app.db, {
    to: 'ada@example.com',
    kind: 'reset_password',
    data: { link: 'https://crier.example/reset?token=x' },
  });

  const options: MailSenderOptions = { databaseUrl: database.url, sealingKey: sealedWith, environment, leaseMs };
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  const wait = { interval: 20 };
  await eventually(() => expect(server.received()).toHaveLength(1), wait);
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('lock table mails in exclusive mode');
  answer();
  // PostgreSQL does not notice that the client is gone, so terminate its statement explicitly.
  const waiting = `from pg_locks where relation = 'mails'::regclass and not granted`;
  await eventually(async () => expect((await database.pool.query(`select ${waiting}`)).rowCount).toBe(1), wait);
  child.kill('SIGKILL');
  await ended;
  await database.pool.query(`select pg_terminate_backend(pid, 5000) ${waiting}`);
  await client.query('rollback');
  client.release();

  const sender = startMailSender(app);
  onTestFinished(() => sender.stop(0));
  await eventually(async () => {
    const { rows } = await database.pool.query('select sent_at, data, attempts from mails');
    expect(rows).toEqual([{ sent_at: expect.any(Date), data: null, attempts: 2 }]);
  }, wait);
  const [first, second, ...more] = server.received().map(({ headers }) => headerIn(headers, 'message-id'));
  expect(first).toMatch(/^<[0-9a-f]{24}@example\.com>$/);
  expect([second, more]).toEqual([first, []]);
});

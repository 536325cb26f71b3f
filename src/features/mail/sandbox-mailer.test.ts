import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { openSandbox, type TestSandbox } from '../../../test/support/servers/sandbox.ts';
import { openSmtpServer } from '../../../test/support/servers/smtp.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { mailIsOn } from './mailer.ts';
import { queueMail } from './mails.ts';
import { startMailSender } from './sender.ts';

const reset = { kind: 'reset_password', data: { link: 'https://crier.example/reset?token=abc' } } as const;

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox('mastodon');
});
afterAll(() => sandbox.close());

/** A service in sandbox mode that sends mail. */
async function aService(options: Parameters<typeof testApp>[0] = {}) {
  const { app, database, close } = await testApp({ sandboxUrl: sandbox.url, ...options });
  const sender = startMailSender(app);
  onTestFinished(async () => {
    await sender.stop(0);
    await close();
  });
  const row = async () => (await database.pool.query('select * from mails')).rows[0];
  return { app, row };
}

test('in the sandbox without MAIL_URL, the sandbox keeps the mail', async () => {
  const { app, row } = await aService({ publicUrl: 'http://127.0.0.1:3000' });
  expect(mailIsOn(app)).toBe(true);
  await queueMail(app, app.db, { ...reset, to: 'ada@example.com' });
  await eventually(async () => expect(await row()).toMatchObject({ sent_at: expect.any(Date), data: null }));
  expect(await sandbox.control('GET', '/mail')).toEqual([
    {
      to: 'ada@example.com',
      from: 'Crier <crier@localhost>',
      subject: 'Choose a new password',
      text: expect.stringContaining('\nhttps://crier.example/reset?token=abc\n'),
      html: expect.stringContaining('<h1 '),
      at: expect.any(String),
    },
  ]);
});

test('with MAIL_URL, mail goes to the server in the sandbox too', async () => {
  const server = await openSmtpServer();
  onTestFinished(() => server.close());
  const { app } = await aService({ environment: { MAIL_URL: `smtp://127.0.0.1:${server.port}` } });
  await queueMail(app, app.db, { ...reset, to: 'bob@example.com' });
  await eventually(() => expect(server.received('bob@example.com')).toHaveLength(1));
  expect(await sandbox.control('GET', '/mail')).not.toContainEqual(expect.objectContaining({ to: 'bob@example.com' }));
});

test('a sandbox that cannot be reached gets the mail later', async () => {
  const { app, row } = await aService({ sandboxUrl: 'http://127.0.0.1:1' });
  await queueMail(app, app.db, { ...reset, to: 'ada@example.com' });
  await eventually(async () => expect((await row()).error).toContain('The sandbox cannot be reached'));
  expect((await row()).next_attempt_at).toBeInstanceOf(Date);
});

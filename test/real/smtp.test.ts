import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueMail } from '../../src/features/mail/mails.ts';
import { type MailSender, startMailSender } from '../../src/features/mail/sender.ts';
import { headerIn } from '../support/servers/parse-mail.ts';
import { type TestApp, testApp } from '../support/service/app.ts';
import { type Exim, startExim } from './servers/exim.ts';
import { describeServer } from './servers/server.ts';

await describeServer('Exim', startExim, (exim: Exim) => {
  let stage: TestApp;
  let sender: MailSender;
  beforeAll(async () => {
    stage = await appWith(exim.password);
    sender = startMailSender(stage.app);
  });
  afterAll(async () => {
    await sender?.stop(0);
    await stage?.close();
    await exim[Symbol.asyncDispose]();
  });

  const appWith = (password: string) =>
    testApp({
      publicUrl: 'https://crier.example',
      environment: { MAIL_URL: `smtp://${exim.user}:${encodeURIComponent(password)}@127.0.0.1:${exim.port}` },
    });
  /** Longer than the line limit of a mail. */
  const link = `https://crier.example/reset?token=${'0123456789abcdef'.repeat(70)}`;
  const queue = (to: string, { app } = stage) => queueMail(app, app.db, { to, kind: 'reset_password', data: { link } });
  const settled = (to: string, { database } = stage) =>
    vi.waitFor(
      async () => {
        const { rows } = await database.pool.query('select * from mails where recipient = $1', [to]);
        if (!rows[0]?.sent_at && !rows[0]?.error) throw new Error('It is still being sent.');
        return rows[0];
      },
      { timeout: 20_000, interval: 50 },
    );
  const mailsTo = async (address: string) =>
    (await exim.mails()).filter(({ headers }) => headerIn(headers, 'to').includes(address));

  test('a mail is taken over TLS from the service, which signs in, and is whole', async () => {
    await queue('ada@example.org');
    expect(await settled('ada@example.org')).toMatchObject({ sent_at: expect.any(Date), error: null });
    const [mail, ...more] = await mailsTo('ada@example.org');
    expect(more).toEqual([]);
    expect(mail?.accepted).toMatch(/ A=plain:crier/);
    expect(mail?.accepted).toMatch(/ X=TLS1\.3:/);
    expect(headerIn(mail!.headers, 'from')).toContain('crier@crier.example');
    expect(headerIn(mail!.headers, 'message-id')).toMatch(/^<[0-9a-f]{24}@crier\.example>$/);
    expect(mail?.text).toContain(link);
    expect(mail?.html).toContain(link);
  });

  test('a recipient that the server does not know is given up, in its words', async () => {
    await queue('nobody@example.org');
    const { error, sent_at } = await settled('nobody@example.org');
    expect([sent_at, error]).toEqual([null, expect.stringContaining('There is no such person here')]);
  });

  test('a recipient that the server defers is tried again later', async () => {
    await queue('later@example.org');
    expect(await settled('later@example.org')).toMatchObject({ sent_at: null, attempts: 1 });
  });

  test('a wrong password loses no mail: it waits for the operator', async () => {
    await using other = await appWith('guessed').then((made) => ({ ...made, [Symbol.asyncDispose]: made.close }));
    const [own, to] = [startMailSender(other.app), 'grace@example.org'];
    await queue(to, other);
    expect(await settled(to, other)).toMatchObject({
      sent_at: null,
      error: expect.stringMatching(/535|authentication/i),
    });
    await own.stop(0);
    expect(await mailsTo(to)).toEqual([]);
  });
});

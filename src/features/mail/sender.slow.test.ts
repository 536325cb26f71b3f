import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { register } from 'prom-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { headerIn } from '../../../test/support/servers/parse-mail.ts';
import { type MailStage, type MailStageOptions, mailStage } from '../../../test/support/stages/mail.ts';
import { failingWork } from '../../foundation/periodic/background-work.ts';
import { mailIsOn } from './mailer.ts';
import { queueMail } from './mails.ts';
import { mailTasks, startMail } from './tasks.ts';

const reset = { link: 'https://crier.example/reset?token=s3cr3t-t0ken' };
const ended = { data: null, next_attempt_at: null };

/** A separate service from the one that most tests share. */
async function aStage(options: MailStageOptions) {
  const stage = await mailStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

const counted = async (kind: string, outcome: string) => {
  const { values } = await register.getSingleMetric('crier_mails_total')!.get();
  return values.find(({ labels }) => labels.kind === kind && labels.outcome === outcome)?.value ?? 0;
};

describe('sending', () => {
  let stage: MailStage;
  beforeAll(async () => {
    stage = await mailStage();
    stage.start();
  });
  afterAll(() => stage.close());

  test('a queued mail leaves immediately as text and HTML, and its data is erased', async () => {
    const before = await counted('reset_password', 'sent');
    await stage.queue('ada@example.com', 'reset_password', reset);
    const row = await stage.attempted('ada@example.com');
    expect(row).toMatchObject({ ...ended, sent_at: stage.clock.now(), error: null });
    const [mail] = stage.server.received('ada@example.com');
    expect(mail).toMatchObject({
      from: 'crier@crier.example',
      subject: 'Choose a new password',
      text: expect.stringContaining(reset.link),
      html: expect.stringContaining(`href="${reset.link}"`),
    });
    expect(headerIn(mail!.headers, 'from')).toBe('Crier <crier@crier.example>');
    expect(headerIn(mail!.headers, 'message-id')).toBe(`<${row.id}@crier.example>`);
    // Counted once the row is stored.
    await expect.poll(() => counted('reset_password', 'sent')).toBe(before + 1);
  });

  test('the data of a mail is stored encrypted', async () => {
    const tx = await stage.app.db.startTransaction().execute();
    await queueMail(stage.app, tx, { to: 'sealed@example.com', kind: 'reset_password', data: reset });
    const { data } = await tx
      .selectFrom('mails')
      .select('data')
      .where('recipient', '=', 'sealed@example.com')
      .executeTakeFirstOrThrow();
    expect(data).toMatch(/^v1\./);
    expect(data).not.toContain('s3cr3t');
    await tx.rollback().execute();
  });

  test('a mail leaves only if the transaction of its cause commits', async () => {
    const { app } = stage;
    const mail = { kind: 'reset_password', data: reset } as const;
    await expect(
      app.db.transaction().execute(async (tx) => {
        await queueMail(app, tx, { ...mail, to: 'rolledback@example.com' });
        throw new Error('The cause failed.');
      }),
    ).rejects.toThrow('The cause failed.');
    await app.db.transaction().execute((tx) => queueMail(app, tx, { ...mail, to: 'committed@example.com' }));
    await stage.attempted('committed@example.com');
    expect(await stage.row('rolledback@example.com')).toBe(undefined);
  });

  test('of mails with the same key only the first is sent', async () => {
    for (const link of ['https://crier.example/1', 'https://crier.example/2']) {
      await stage.queue('once@example.com', 'reset_password', { link }, 'the same key');
    }
    await stage.queue('after@example.com', 'reset_password', reset);
    await Promise.all([stage.attempted('once@example.com'), stage.attempted('after@example.com')]);
    expect(stage.server.received('once@example.com').map(({ text }) => text)).toEqual([
      expect.stringContaining('https://crier.example/1'),
    ]);
  });

  test('two processes share the mails, and each is sent once', async () => {
    stage.start();
    const numbers = [...Array(40).keys()];
    await Promise.all(numbers.map((n) => stage.queue(`shared${n}@example.com`, 'reset_password', reset)));
    await Promise.all(numbers.map((n) => stage.attempted(`shared${n}@example.com`)));
    expect(numbers.map((n) => stage.server.received(`shared${n}@example.com`).length)).toEqual(numbers.map(() => 1));
  });

  test('a recipient that the server refuses for good is given up immediately', async () => {
    const before = await counted('reset_password', 'failed');
    stage.server.behave('gone@example.com', { recipient: { code: 550, message: 'No such mailbox' } });
    await stage.queue('gone@example.com', 'reset_password', reset);
    expect(await stage.attempted('gone@example.com')).toMatchObject({
      ...ended,
      sent_at: null,
      error: expect.stringContaining('550 No such mailbox'),
    });
    await expect.poll(() => counted('reset_password', 'failed')).toBe(before + 1);
    await expect
      .poll(() => stage.lines.at(-1))
      .toMatchObject({
        msg: 'mail failed permanently',
        to: 'gone@example.com',
        subject: 'Choose a new password',
      });
    // A single rejected recipient does not count as a mail outage.
    expect(failingWork(stage.app, 1)).toEqual([]);
  });

  test('a mail whose text the server refuses for good is given up immediately', async () => {
    stage.server.behave('spam@example.com', { data: { code: 554, message: 'Looks like spam' } });
    await stage.queue('spam@example.com', 'reset_password', reset);
    expect(await stage.attempted('spam@example.com')).toMatchObject({ ...ended, sent_at: null });
  });

  test('what is not an address is given up immediately and reaches no server', async () => {
    for (const to of ['nobody', 'a@b\r\nRCPT TO:<victim@example.com>', 'x@y>, <victim@example.com']) {
      await stage.queue(to, 'reset_password', reset);
      expect(await stage.attempted(to)).toMatchObject({ ...ended, sent_at: null });
    }
    expect(stage.server.received('victim@example.com')).toEqual([]);
  });

  test('a temporary refusal is retried for about a day, then given up', async () => {
    const to = 'later@example.com';
    stage.server.behave(to, { recipient: { code: 451, message: 'Try again later' } });
    await stage.queue(to, 'reset_password', reset);
    const began = stage.clock.now().getTime();
    const waits: number[] = [];
    for (let attempts = 1; ; attempts += 1) {
      const { next_attempt_at: next, data } = await stage.attempted(to, attempts);
      if (!next) break;
      expect(data).not.toBe(null);
      waits.push(Math.floor((next.getTime() - stage.clock.now().getTime()) / 60_000));
      await stage.advance((next.getTime() - stage.clock.now().getTime()) / 1000);
    }
    const hours = (stage.clock.now().getTime() - began) / 3_600_000;
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(hours).toBeGreaterThan(20);
    expect(hours).toBeLessThan(30);
    expect(await stage.row(to)).toMatchObject({ ...ended, sent_at: null, error: expect.stringContaining('451') });
  });

  test('a mail that is accepted in a later attempt is the same mail', async () => {
    const to = 'greylisted@example.com';
    stage.server.behave(to, { data: { code: 450, message: 'Greylisted' } });
    await stage.queue(to, 'reset_password', reset);
    await stage.attempted(to);
    expect(failingWork(stage.app, 1)).toMatchObject([{ name: 'mail-delivery' }]);
    stage.server.behave(to, {});
    await stage.advance(120);
    expect(await stage.attempted(to, 2)).toMatchObject({ ...ended, sent_at: stage.clock.now() });
    const ids = stage.server.received(to).map(({ headers }) => headerIn(headers, 'message-id'));
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(failingWork(stage.app, 1)).toEqual([]);
  });

  test('the log has address and subject, and neither log nor table a link that the server quotes', async () => {
    const to = 'quoted@example.com';
    stage.server.behave(to, { data: { code: 554, message: `Bad link ${reset.link} (token=s3cr3t-t0ken)` } });
    await stage.queue(to, 'reset_password', reset);
    const { error } = await stage.attempted(to);
    expect(error).toContain('Bad link [link]');
    await expect
      .poll(() => stage.lines)
      .toContainEqual(expect.objectContaining({ to, subject: 'Choose a new password' }));
    expect(JSON.stringify(stage.lines)).not.toMatch(/s3cr3t|crier\.example\/reset/);
  });
});

test.for([
  ['none', 'smtp'],
  ['starttls', 'smtp'],
  ['tls', 'smtps'],
] as const)('mails that hang delay no others, and are retried (TLS: %s)', async ([encryption, scheme]) => {
  const stage = await aStage({ encryption, mailUrl: (port) => `${scheme}://127.0.0.1:${port}` });
  stage.start({ timeoutMs: 3_000 });
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const hanging = [...Array(4).keys()].map((n) => `hang${n}@example.com`);
  for (const to of hanging) stage.server.behave(to, { data: released });
  await Promise.all(hanging.map((to) => stage.queue(to, 'reset_password', reset)));
  await eventually(() => expect(hanging.every((to) => stage.server.received(to).length === 1)).toBe(true));
  await stage.queue('quick@example.com', 'reset_password', reset);
  await stage.attempted('quick@example.com');
  const rows = await Promise.all(hanging.map((to) => stage.attempted(to)));
  for (const row of rows) expect(row.error).toBe('The mail server did not respond in time.');
  await expect.poll(() => stage.lines.findIndex(({ to }) => to === 'quick@example.com')).toBe(0);
  resolve();
});

describe('credentials', () => {
  const login = { user: 'crier@mail', password: 'p/w#1' };
  const userInfo = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;

  test.for([
    ['without TLS', 'none', 'smtp', false],
    ['with STARTTLS', 'starttls', 'smtp', true],
    ['with TLS from the first byte', 'tls', 'smtps', true],
  ] as const)('are used on this machine %s', async ([, encryption, scheme, isEncrypted]) => {
    const stage = await aStage({ encryption, login, mailUrl: (port) => `${scheme}://${userInfo}@127.0.0.1:${port}` });
    stage.start();
    await stage.queue('ada@example.com', 'reset_password', reset);
    expect((await stage.attempted('ada@example.com')).error).toBe(null);
    expect(stage.server.received()).toMatchObject([{ user: login.user, isEncrypted }]);
  });

  test.for([
    ['without TLS', 'none', 'smtp'],
    ['with a certificate that nobody has signed', 'starttls', 'smtp'],
    ['with a certificate that nobody has signed, from the first byte', 'tls', 'smtps'],
  ] as const)('are never sent to another machine %s', async ([, encryption, scheme]) => {
    // This address also leads to this machine, but does not look local.
    const stage = await aStage({ encryption, login, mailUrl: (port) => `${scheme}://${userInfo}@0.0.0.0:${port}` });
    stage.start();
    await stage.queue('ada@example.com', 'reset_password', reset);
    expect(await stage.attempted('ada@example.com')).toMatchObject({ sent_at: null, error: expect.any(String) });
    expect(stage.server.logins).toEqual([]);
    expect(stage.server.received()).toEqual([]);
  });

  test('that the server refuses are no reason to give up: the operator may fix them', async () => {
    const stage = await aStage({
      login,
      mailUrl: (port) => `smtp://${login.user.split('@')[0]}:wrong@127.0.0.1:${port}`,
    });
    stage.start();
    await stage.queue('ada@example.com', 'reset_password', reset);
    const row = await stage.attempted('ada@example.com');
    expect(row).toMatchObject({ sent_at: null, error: expect.stringContaining('535') });
    expect(row.next_attempt_at).not.toBe(null);
    expect(JSON.stringify(stage.lines) + row.error).not.toContain('wrong');
  });
});

test('MAIL_FROM is the sender of the envelope and of the mail', async () => {
  const stage = await aStage({ environment: { MAIL_FROM: 'Ada’s Crier <post@ada.example>' } });
  stage.start();
  await stage.queue('ada@example.com', 'reset_password', reset);
  const { id } = await stage.attempted('ada@example.com');
  const [mail] = stage.server.received();
  expect(mail!.from).toBe('post@ada.example');
  expect(headerIn(mail!.headers, 'from')).toMatch(/ <post@ada\.example>$/);
  expect(headerIn(mail!.headers, 'message-id')).toBe(`<${id}@ada.example>`);
});

test.each(['smtp', 'smtps'])(
  'a server that takes the %s connection and says nothing is tried again',
  async (scheme) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const stage = await aStage({ mailUrl: () => `${scheme}://127.0.0.1:${port}` });
    stage.start({ timeoutMs: 500 });
    await stage.queue('ada@example.com', 'reset_password', reset);
    expect((await stage.attempted('ada@example.com')).error).toBe('The mail server did not respond in time.');
  },
);

test('a server that cannot be reached is tried again', async () => {
  const stage = await aStage({ mailUrl: () => 'smtp://127.0.0.1:1' });
  stage.start();
  await stage.queue('ada@example.com', 'reset_password', reset);
  expect(await stage.attempted('ada@example.com')).toMatchObject({
    sent_at: null,
    error: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a mail that is being sent when the process stops is due again immediately', async () => {
  const stage = await aStage({});
  const { promise: released, resolve } = Promise.withResolvers<void>();
  stage.server.behave('ada@example.com', { data: released });
  const sender = stage.start();
  await stage.queue('ada@example.com', 'reset_password', reset);
  await eventually(() => expect(stage.server.received()).toHaveLength(1));
  await sender.stop(0);
  expect(await stage.row('ada@example.com')).toMatchObject({ attempts: 0, next_attempt_at: stage.clock.now() });
  resolve();
});

describe('live without MAIL_URL', () => {
  test('says so at the start, and gives mails up with their address and subject in the log', async () => {
    const stage = await aStage({ environment: { NETWORKS: 'live', MAIL_URL: '' } });
    expect(mailIsOn(stage.app)).toBe(false);
    const mail = startMail(stage.app);
    onTestFinished(() => mail.stop(0));
    expect(stage.lines).toMatchObject([
      { level: 40, msg: expect.stringContaining('"npm run admin -- reset-password"') },
    ]);
    await stage.queue('ada@example.com', 'reset_password', reset);
    expect(await stage.attempted('ada@example.com')).toMatchObject({ ...ended, error: 'MAIL_URL is not set.' });
    // The log line follows the record.
    const line = () => stage.lines.at(-1);
    await expect.poll(line).toMatchObject({ to: 'ada@example.com', subject: 'Choose a new password' });
    expect(stage.server.received()).toEqual([]);
  });
});

test('mails that ended are deleted after 60 days, waiting ones never', async () => {
  const stage = await aStage({});
  const prune = mailTasks(stage.app).find(({ name }) => name === 'prune-mails')!;
  const day = 86_400;
  const sender = stage.start();
  await stage.queue('old@example.com', 'reset_password', reset);
  await stage.attempted('old@example.com');
  await sender.stop(0);
  await stage.queue('waiting@example.com', 'reset_password', reset);
  stage.clock.advance({ seconds: 60 * day - 1 });
  await prune.run(new AbortController().signal);
  expect(await stage.rows()).toHaveLength(2);
  stage.clock.advance({ seconds: 2 });
  await prune.run(new AbortController().signal);
  expect((await stage.rows()).map(({ recipient }) => recipient)).toEqual(['waiting@example.com']);
});

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { certificateFor } from '../../../../test/support/servers/certificate.ts';
import { testApp, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, testService } from '../../../../test/support/service/service.ts';
import { readConfig } from '../../../config/config.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { todoOf } from '../../../startup/checks.ts';
import { liveChecklist } from '../../../startup/live-checklist.ts';
import { backlog, clockSkew, keys, migrations, running, server, tasks } from './database-checks.ts';
import { apiVersions, connections, disk, mailServer, storage } from './machine-checks.ts';
import { runProbes } from './run-probes.ts';

let folder: TemporaryFolder;
let service: TestService;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await testService({ environment: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  await service.close();
  await folder.remove();
});

describe('on a healthy installation', () => {
  test.each(
    Object.entries({ server, migrations, clockSkew, backlog, tasks, keys, storage, disk, connections, apiVersions }),
  )('%s is fine', async (_name, probe) => {
    for (const check of [await probe(service.app)].flat()) expect(check).toMatchObject({ status: 'ok' });
  });
});

describe('what is wrong is found:', () => {
  test('a migration that is missing, and one of a newer version', async () => {
    const { app, database, close } = await testApp();
    onTestFinished(close);
    await database.pool.query(`delete from migrations where name like '0019%'`);
    expect(await migrations(app)).toMatchObject({ status: 'fail', detail: 'Missing: 0019-calendar.sql.' });
    await database.pool.query(`insert into migrations (name) values ('9999-future.sql')`);
    expect(await migrations(app)).toMatchObject({ status: 'fail', detail: expect.stringContaining('9999-future.sql') });
  });

  test('a database without tables is one line, and what needs them is left out', async () => {
    const { app, database, close } = await testApp({ environment: { DATA_DIR: folder.path } });
    onTestFinished(close);
    await database.pool.query('drop schema public cascade; create schema public');
    const found = await runProbes(app);
    expect(found.filter(({ name }) => name === 'migrations')).toEqual([
      {
        name: 'migrations',
        status: 'fail',
        detail: 'The database has no Crier tables yet. Checks that need them were skipped.',
        todo: expect.stringMatching(/^Start Crier, which creates them, or run .* migrate\. /),
      },
    ]);
    expect(JSON.stringify(found)).not.toMatch(/could not be checked|does not exist/);
    const names = found.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['database', 'clock', 'media files', 'disk', 'network APIs']));
    for (const name of ['service', 'backlog', 'periodic tasks', 'stored credentials', 'connections'])
      expect(names).not.toContain(name);
    expect((await runProbes(service.app)).map(({ name }) => name)).toContain('backlog');
  });

  test('a clock that is wrong', async () => {
    const ahead = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) });
    expect(await clockSkew({ ...service.app, clock: ahead(3) })).toMatchObject({ status: 'warn' });
    expect(await clockSkew({ ...service.app, clock: ahead(-60) })).toMatchObject({
      status: 'fail',
      todo: expect.stringContaining('time server'),
    });
  });

  test('a storage that cannot be written to', async () => {
    const broken = { ...service.app.storage, write: () => Promise.reject(new Error('No space left.')) };
    expect(await storage({ ...service.app, storage: broken })).toMatchObject({
      status: 'fail',
      detail: 'A test file could not be written and read: No space left.',
      todo: 'Check STORAGE_URL and its credentials, or that DATA_DIR is writable.',
    });
  });

  test('a storage whose certificate is of an unknown authority, with the variable that names one', async () => {
    const server = createServer(certificateFor('localhost'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { STORAGE_URL: `s3://media?endpoint=${endpoint}&accessKeyId=id&secretAccessKey=secret` };
    const { app, close } = await testApp({ environment });
    onTestFinished(close);
    expect(await storage(app)).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('self-signed certificate'),
      todo: expect.stringContaining('set NODE_EXTRA_CA_CERTS to the file'),
    });
  });

  test.each([
    'self-signed certificate',
    'self-signed certificate in certificate chain',
    'unable to verify the first certificate',
    'unable to get local issuer certificate',
    'Cannot connect to the database db:5432/crier: unable to get issuer certificate. Check DATABASE_URL.',
  ])('an authority that is unknown: %s', (message) => {
    expect(todoOf(message, 'Check the address.')).toContain('NODE_EXTRA_CA_CERTS');
  });

  test.each(['certificate has expired', 'connect ECONNREFUSED 127.0.0.1:1'])('another reason: %s', (message) => {
    expect(todoOf(message, 'Check the address.')).toBe('Check the address.');
  });

  test('a mail server that does not answer', async () => {
    const config = readConfig({ MAIL_URL: 'smtp://ada:secret-of-ada@127.0.0.1:1' });
    const [check] = await mailServer({ ...service.app, config });
    expect(check).toMatchObject({ status: 'fail', detail: expect.stringContaining('127.0.0.1:1 cannot be used') });
    expect(JSON.stringify(check)).not.toContain('secret-of-ada');
    expect(await mailServer(service.app)).toEqual([]);
  });

  test('credentials that no key of this machine opens', async () => {
    const ada = await service.aUser();
    await ada.aConnection();
    const sealingKeys = { current: sealingKey('77'.repeat(32)), previous: [] };
    expect(await keys({ ...service.app, sealingKeys })).toMatchObject({ status: 'fail' });
    expect(await keys(service.app)).toMatchObject({ status: 'ok' });
  });

  test('a post that is overdue, connections that are broken or end soon, and no service', async () => {
    const clock = testClock();
    const { app, database, close } = await testApp({ clock });
    onTestFinished(close);
    await database.pool.query(`insert into users (id, email, name, plan) values ('u', 'u@example.com', 'U', 'pro')`);
    await database.pool.query(
      `insert into post_groups (id, user_id, content, status, scheduled_at, target_count, open_targets)
       values ('g', 'u', 'x', 'scheduled', $1::timestamptz - interval '5 minutes', 1, 1)`,
      [clock.now()],
    );
    await database.pool.query(
      `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials, refresh_expires_at,
         reconnect_required_at)
       select 'c' || n, 'u', 'tiktok', 'a' || n, 'h', 'H', 'x', $1::timestamptz + interval '2 days',
         case when n = 1 then $1::timestamptz end
       from generate_series(1, 3) n`,
      [clock.now()],
    );
    expect(await backlog(app)).toMatchObject([
      { status: 'fail', detail: expect.stringContaining('waiting for 300 s') },
    ]);
    expect(await connections(app)).toMatchObject([
      { status: 'warn', detail: 'Broken: tiktok 1 (reconnect).' },
      { status: 'warn', detail: expect.stringContaining('tiktok 2') },
    ]);
    expect(await running(app)).toMatchObject({ status: 'warn', detail: 'Crier is not running on this database.' });
  });
});

describe('the checklist of a live start', () => {
  const found = (environment: Record<string, string>) => {
    const config = readConfig({ NETWORKS: 'live', ...environment });
    const platformAccess = { ...service.app.platformAccess, applications: config.clients };
    const checks = liveChecklist({ config, platformAccess, sandboxUrl: null });
    return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  };

  test('says what is missing', () => {
    expect(found({})).toMatchObject({ 'public address': 'fail', applications: 'warn', mail: 'warn', plan: 'ok' });
    expect(found({ PUBLIC_URL: 'http://localhost:3000' })['public address']).toBe('fail');
    expect(found({ PUBLIC_URL: 'http://crier.example.com' })['public address']).toBe('warn');
    const elsewhere = found({ DATABASE_URL: 'postgres://db.example.com/crier' });
    expect(elsewhere).toMatchObject({ 'media storage': 'warn', 'sealing key': 'warn' });
  });

  test('is content when everything is set', () => {
    const ids = ['TWITTER', 'INSTAGRAM', 'THREADS', 'TIKTOK', 'LINKEDIN', 'YOUTUBE', 'FACEBOOK', 'PINTEREST'];
    const clients = Object.fromEntries(
      ids.flatMap((id) => [
        [`${id}_CLIENT_ID`, 'id'],
        [`${id}_CLIENT_SECRET`, 's'],
      ]),
    );
    const everything = {
      ...clients,
      PUBLIC_URL: 'https://crier.example.com',
      MAIL_URL: 'smtps://mail.example.com',
      DATABASE_URL: 'postgres://db.example.com/crier',
      SECRET_KEY: 'aa'.repeat(32),
      STORAGE_URL: 's3://media?region=eu-central-1',
    };
    expect(new Set(Object.values(found(everything)))).toEqual(new Set(['ok']));
  });
});

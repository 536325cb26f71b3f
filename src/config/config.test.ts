import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigurationError, environmentExample, readConfig } from './config.ts';

test('an empty environment is a complete configuration', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    roles: ['api', 'worker'],
    databaseUrl: null,
    platformMode: 'sandbox',
    sandboxPort: 3010,
    defaultPlan: 'pro',
    corsOrigins: [],
    egressAllow: [],
    strictPastTimes: 'auto',
  });
});

test('a live service starts new accounts on the free plan', () => {
  expect(readConfig({ NETWORKS: 'live' }).defaultPlan).toBe('starter');
});

test('sign-up is open in the sandbox, and for the first person in live mode', () => {
  expect(readConfig({}).signUp).toBe('open');
  expect(readConfig({ NETWORKS: 'live' }).signUp).toBeNull();
  expect(readConfig({ NETWORKS: 'live', SIGN_UP: 'invite' }).signUp).toBe('invite');
  expect(() => readConfig({ SIGN_UP: 'yes' })).toThrow('SIGN_UP is not one of open, invite, closed');
});

test('an empty variable counts as absent', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: ' ' })).toMatchObject({ databaseUrl: null, port: 3000 });
});

test('the database may have several servers, and an address for what a pooler cannot share', () => {
  const [DATABASE_URL, DATABASE_LISTEN_URL] = ['postgres://pooler:6432/crier', 'postgres://one,two:5433/crier'];
  expect(readConfig({ DATABASE_URL, DATABASE_LISTEN_URL })).toMatchObject({
    databaseUrl: DATABASE_URL,
    databaseListenUrl: DATABASE_LISTEN_URL,
  });
  expect(() => readConfig({ DATABASE_LISTEN_URL: 'http://one/crier' })).toThrow(
    'DATABASE_LISTEN_URL is not a PostgreSQL address',
  );
  expect(() => readConfig({ DATABASE_LISTEN_URL })).toThrow('DATABASE_LISTEN_URL has no effect without DATABASE_URL');
});

test('lists are separated by commas', () => {
  const config = readConfig({ ROLES: 'worker', CORS_ORIGINS: 'https://a.example, https://b.example' });
  expect([config.roles, config.corsOrigins]).toEqual([['worker'], ['https://a.example', 'https://b.example']]);
});

test('exceptions to the egress guard are hosts with a port', () => {
  const fine = 'nas.local:8080, 10.0.0.5:443,[fd00::5]:65535,under_score:80';
  expect(readConfig({ EGRESS_ALLOW: fine }).egressAllow).toEqual(fine.split(/, ?/));
});

test.each([
  'nas.local',
  'http://nas.local:8080',
  'nas.local:8080/path',
  'user@nas.local:8080',
  'nas.local:0',
  'nas.local:65536',
  '*:443',
  '*.example.com:443',
  '10.0.0.0/8',
  '300.0.0.1:80',
  'fd00::5:443',
  '[fd00::5]',
  'nas.local:8080,',
])('EGRESS_ALLOW %s is refused', (EGRESS_ALLOW) => {
  expect(() => readConfig({ EGRESS_ALLOW })).toThrow(
    'EGRESS_ALLOW contains something that is not host:port: write hooks.example.com:8080, 10.0.0.5:443 or [fd00::5]:443',
  );
});

test('trusted proxies are addresses and ranges', () => {
  const fine = '127.0.0.1, 10.0.0.0/8,fd00::/8,::1';
  expect(readConfig({ TRUST_PROXY: fine }).trustProxy).toEqual(fine.split(/, ?/));
  expect(readConfig({}).trustProxy).toEqual([]);
});

test.each([
  'true',
  'proxy.local',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0',
  '0.0.0.0/0',
  '::/0',
  'fe80::1%eth0',
  '::1/8/8',
])('TRUST_PROXY %s is refused', (TRUST_PROXY) => {
  expect(() => readConfig({ TRUST_PROXY })).toThrow(
    'TRUST_PROXY contains something that is not an IP address or range: write 127.0.0.1',
  );
});

test('a METRICS_TOKEN that could be guessed is refused', () => {
  expect(() => readConfig({ METRICS_TOKEN: 'secret' })).toThrow('METRICS_TOKEN is too short');
});

test('media is kept in the data folder unless stated otherwise', () => {
  expect(readConfig({ DATA_DIR: '/srv/crier' }).storage).toEqual({ kind: 'disk', folder: '/srv/crier' });
  const folders = ['file:/mnt/media', 'file:///mnt/with%20space', 'file:media'];
  expect(folders.map((STORAGE_URL) => readConfig({ STORAGE_URL }).storage)).toEqual([
    { kind: 'disk', folder: '/mnt/media' },
    { kind: 'disk', folder: '/mnt/with space' },
    { kind: 'disk', folder: resolve('media') },
  ]);
});

test('media can be kept in a bucket, of AWS or of another server', () => {
  expect(readConfig({ STORAGE_URL: 's3://my-bucket?region=eu-central-1' }).storage).toEqual({
    kind: 's3',
    bucket: 'my-bucket',
    region: 'eu-central-1',
    endpoint: null,
    credentials: null,
    publicUrl: null,
  });
  const other =
    's3://media?endpoint=http://127.0.0.1:9000/&accessKeyId=id&secretAccessKey=a+b/c==&publicUrl=https%3A%2F%2Fcdn.example.com';
  expect(readConfig({ STORAGE_URL: other }).storage).toEqual({
    kind: 's3',
    bucket: 'media',
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:9000',
    credentials: { accessKeyId: 'id', secretAccessKey: 'a+b/c==' },
    publicUrl: 'https://cdn.example.com',
  });
});

test.each([
  ['ftp://somewhere', 'is not a storage URL: write file:/srv/crier or s3://my-bucket?region=eu-central-1'],
  ['s3://My_Bucket?region=x', 'is not a storage URL: write file:/srv/crier or s3://my-bucket?region=eu-central-1'],
  ['s3://bucket/folder?region=x', 'is not a storage URL: write file:/srv/crier or s3://my-bucket?region=eu-central-1'],
  ['s3://bucket', 'does not specify the location of the bucket: add ?region=eu-central-1, or endpoint=…'],
  ['s3://bucket?endpoint=minio:9000', 'has an invalid URL: write endpoint=https://s3.example.com'],
  [
    's3://bucket?region=x&accessKeyId=a',
    'has only one of the two credentials: give both accessKeyId and secretAccessKey',
  ],
  [
    's3://bucket?region=x&key=a',
    'has an unknown parameter "key": use region, endpoint, accessKeyId, secretAccessKey, publicUrl',
  ],
  ['file:', 'has no folder: write file:/srv/crier, or omit it to use DATA_DIR'],
  ['file://host/folder', 'has no folder: write file:/srv/crier, or omit it to use DATA_DIR'],
])('STORAGE_URL %s is refused', (STORAGE_URL, message) => {
  expect(() => readConfig({ STORAGE_URL })).toThrow(`STORAGE_URL ${message}`);
});

test('MAIL_URL is the address of an SMTP server', () => {
  const urls = ['smtp://mail.example.com', 'smtps://ann%40x:p%2F%23@[::1]', 'smtp://u:p@127.0.0.1:2525/'];
  expect(urls.map((MAIL_URL) => readConfig({ MAIL_URL }).mailServer)).toEqual([
    { host: 'mail.example.com', port: 587, isTls: false, credentials: null },
    { host: '::1', port: 465, isTls: true, credentials: { user: 'ann@x', password: 'p/#' } },
    { host: '127.0.0.1', port: 2525, isTls: false, credentials: { user: 'u', password: 'p' } },
  ]);
  expect(readConfig({}).mailServer).toBe(null);
});

test.each([
  ['mail.example.com', 'is not the address of a mail server: write smtp://user:password@mail.example.com:587'],
  ['https://mail.example.com', 'is not the address of a mail server'],
  ['smtp://', 'is not the address of a mail server'],
  ['smtp://user:top#secret@mail.example.com', 'is not the address of a mail server'],
  ['smtp://mail.example.com?secure=1', 'is not the address of a mail server'],
  ['smtp://user:top%secret@mail.example.com', 'has a % in its user or password'],
  ['smtp://user@mail.example.com', 'has only one of the two credentials: give both a user and a password, or neither'],
])('MAIL_URL %s is refused without its password in the message', (MAIL_URL, message) => {
  expect(() => readConfig({ MAIL_URL })).toThrow(`MAIL_URL ${message}`);
  expect(() => readConfig({ MAIL_URL })).not.toThrow(/top|secret/);
});

test('MAIL_FROM is an address with or without a name', () => {
  const senders = ['crier@example.com', 'Crier <crier@example.com>', '"Crier, Inc." <crier@example.com>'];
  expect(senders.map((MAIL_FROM) => readConfig({ MAIL_FROM }).mailFrom)).toEqual([
    { name: '', address: 'crier@example.com' },
    { name: 'Crier', address: 'crier@example.com' },
    { name: 'Crier, Inc.', address: 'crier@example.com' },
  ]);
});

test.each(['crier', 'Crier <crier>', 'a@b, c@d', 'A <a@b> <c@d>', 'a@b\nBcc: c@d', 'A\r\nBcc: c@d <a@b>'])(
  'MAIL_FROM %j is refused',
  (MAIL_FROM) => {
    expect(() => readConfig({ MAIL_FROM })).toThrow('MAIL_FROM is not a sender: write Crier <crier@example.com>');
  },
);

test('all mistakes are reported together, with how to fix each', () => {
  const wrong = {
    PORT: 'eighty',
    ROLES: 'api,cook',
    DATABASE_URL: 'mysql://x',
    NETWORKS: 'both',
    STORAGE_URL: 'disk',
    SECRET_KEY: 'short',
    PUBLIC_URL: 'crier',
    CORS_ORIGINS: 'https://a.example/path',
    EGRESS_ALLOW: 'intranet',
    DEFAULT_PLAN: 'gold',
    TWITTER_CLIENT_ID: 'id without a secret',
    LINKEDIN_SCOPES: 'openid; profile',
    LINKEDIN_VERSION: '2026-09',
  };
  expect(() => readConfig(wrong)).toThrow(ConfigurationError);
  expect(() => readConfig(wrong)).toThrow(
    [
      'The configuration has 13 mistakes:',
      '  - PORT is not a port: write a number from 0 to 65535',
      '  - PUBLIC_URL is not a URL: write it like https://crier.example.com',
      '  - ROLES has an unknown role: use api, worker or both',
      '  - DATABASE_URL is not a PostgreSQL address: write postgres://user:password@host:5432/database',
      '  - NETWORKS is not one of sandbox, live',
      '  - STORAGE_URL is not a storage URL: write file:/srv/crier or s3://my-bucket?region=eu-central-1',
      '  - SECRET_KEY contains a key that is not 64 hex digits: generate one with openssl rand -hex 32',
      '  - DEFAULT_PLAN is not one of starter, pro, pro_legacy, premium_legacy, agency',
      '  - CORS_ORIGINS contains something that is not an origin: write https://app.example.com, without a path',
      '  - EGRESS_ALLOW contains something that is not host:port: write hooks.example.com:8080, 10.0.0.5:443 or [fd00::5]:443',
      '  - TWITTER_CLIENT_SECRET is missing: TWITTER_CLIENT_ID is set, and both are needed',
      '  - LINKEDIN_SCOPES is not a list of scopes: write their names separated by spaces, such as openid profile w_member_social',
      '  - LINKEDIN_VERSION is not a LinkedIn API version: write a year and a month, such as 202609',
    ].join('\n'),
  );
});

test('the options of a platform are those that are set', () => {
  expect(readConfig({}).platformOptions).toEqual({});
  const set = { LINKEDIN_SCOPES: ' openid profile ', LINKEDIN_VERSION: '202611' };
  expect(readConfig(set).platformOptions).toEqual({ linkedin: { SCOPES: 'openid profile', VERSION: '202611' } });
});

test('docs/configuration.md has a row for every variable of .env.example', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const onPage = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  const inExample = [...environmentExample().matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(onPage.sort()).toEqual(inExample.sort());
});

test.each([
  ['DATABSE_URL', ' Did you mean DATABASE_URL?'],
  ['DATABASE_URI', ' Did you mean DATABASE_URL?'],
  ['EGRES_ALLOW', ' Did you mean EGRESS_ALLOW?'],
  ['TWITER_CLIENT_ID', ' Did you mean TWITTER_CLIENT_ID?'],
  ['CRIER_PORT', ' Did you mean PORT?'],
  ['CRIER_COLOUR', ''],
])('%s in the environment is reported', (name, hint) => {
  const sentence = `The variable ${name} does not exist and has no effect.${hint}`;
  expect(readConfig({ [name]: 'x' }).unknownVariables).toEqual([sentence]);
});

test('variables of others in the environment are not reported', () => {
  const names = [
    'HOME',
    'CRIER_URL',
    'CRIER_KEY',
    'HOSTNAME',
    'USER',
    'PATH',
    'LOGNAME',
    'SHELL',
    'PWD',
    'SSH_AUTH_SOCK',
    'GITHUB_CLIENT_ID',
    'POD',
  ];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, 'x']))).unknownVariables).toEqual([]);
});

test('every variable of the .env file that is neither ours nor of a library is reported', () => {
  const file = { PORT: '3000', PROT: '3000', COLOUR: 'red', AWS_ACCESS_KEY_ID: 'x', PGPASSWORD: 'x', TZ: 'UTC' };
  expect(readConfig(file, Object.keys(file)).unknownVariables).toEqual([
    expect.stringContaining('PROT does not exist'),
    expect.stringContaining('COLOUR does not exist'),
  ]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigurationError, environmentExample, readConfig } from './config.ts';

test('an empty environment is a complete configuration', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    roles: ['api', 'worker'],
    databaseUrl: null,
    networks: 'sandbox',
    sandboxPort: 3010,
    defaultPlan: 'pro',
    corsOrigins: [],
    strictPastTimes: 'auto',
  });
});

test('a live service starts new accounts on the free plan', () => {
  expect(readConfig({ NETWORKS: 'live' }).defaultPlan).toBe('starter');
});

test('an empty variable counts as absent', () => {
  expect(readConfig({ DATABASE_URL: '', PORT: ' ' })).toMatchObject({ databaseUrl: null, port: 3000 });
});

test('lists are separated by commas', () => {
  const config = readConfig({ ROLES: 'worker', CORS_ORIGINS: 'https://a.example, https://b.example' });
  expect([config.roles, config.corsOrigins]).toEqual([['worker'], ['https://a.example', 'https://b.example']]);
});

test('every mistake is reported at once, in words that say how to mend it', () => {
  const wrong = {
    PORT: 'eighty',
    ROLES: 'api,cook',
    DATABASE_URL: 'mysql://x',
    NETWORKS: 'both',
    SECRET_KEY: 'short',
    PUBLIC_URL: 'crier',
    CORS_ORIGINS: 'https://a.example/path',
    DEFAULT_PLAN: 'gold',
    TWITTER_CLIENT_ID: 'id without a secret',
  };
  expect(() => readConfig(wrong)).toThrow(ConfigurationError);
  expect(() => readConfig(wrong)).toThrow(
    [
      'The configuration has 9 mistakes:',
      '  - PORT is not a port: write a number from 0 to 65535',
      '  - PUBLIC_URL is not an address: write it like https://crier.example.com',
      '  - ROLES names a role that does not exist: use api, worker or both',
      '  - DATABASE_URL is not a PostgreSQL address: write postgres://user:password@host:5432/database',
      '  - NETWORKS is none of sandbox, live',
      '  - SECRET_KEY holds a key that is not 64 hex digits: make one with openssl rand -hex 32',
      '  - DEFAULT_PLAN is none of starter, pro, pro_legacy, premium_legacy, agency',
      '  - CORS_ORIGINS holds something that is no origin: write https://app.example.com, without a path',
      '  - TWITTER_CLIENT_SECRET is missing: TWITTER_CLIENT_ID is set, and one is of no use without the other',
    ].join('\n'),
  );
});

test('.env.example names every variable of the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const inReadme = [...readme.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
  const inExample = [...environmentExample().matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(inReadme).toEqual(inExample);
});

import { expect, test } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

test('several hosts are tried in their order, each with its own port and the rest of the address', () => {
  expect(parseDatabaseUrl('postgres://crier:s%40cret@one:5433,two,[fd00::5]:5434/crier?sslmode=require')).toEqual({
    urls: [
      'postgres://crier:s%40cret@one:5433/crier?sslmode=require',
      'postgres://crier:s%40cret@two/crier?sslmode=require',
      'postgres://crier:s%40cret@[fd00::5]:5434/crier?sslmode=require',
    ],
    mustTakeWrites: true,
    shown: 'one:5433,two,[fd00::5]:5434/crier',
  });
});

test.each([
  ['postgres://one/crier', false],
  ['postgresql://one/crier?target_session_attrs=any', false],
  ['postgres://one/crier?sslmode=require&target_session_attrs=read-write', true],
  ['postgres://one/crier?target_session_attrs=primary', true],
  ['postgres://one,two/crier?target_session_attrs=any', true],
])('%s: a server that takes no writes is passed over: %s', (url, mustTakeWrites) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ mustTakeWrites });
});

test('a socket in a folder is an address, too', () => {
  expect(parseDatabaseUrl('postgres:///crier?host=/run/postgresql')).toMatchObject({
    urls: ['postgres:///crier?host=/run/postgresql'],
  });
});

test.each(['mysql://one/crier', 'one:5432/crier', 'postgres://one:port/crier', 'postgres://one,two:x/crier'])(
  '%s is refused',
  (url) => {
    expect(parseDatabaseUrl(url)).toContain('is not a PostgreSQL address');
  },
);

test('an address that asks for a standby is refused', () => {
  expect(parseDatabaseUrl('postgres://one,two/crier?target_session_attrs=prefer-standby')).toBe(
    'has target_session_attrs=prefer-standby, but Crier needs write access: use read-write',
  );
});

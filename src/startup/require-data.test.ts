import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { requireOwnSettings } from './require-data.ts';

const settings = fileURLToPath(import.meta.url);
const empty = { databaseUrl: null, dataDir: '/no/such/folder' };

test('where a service is installed, a command without its settings is refused', () => {
  expect(() => requireOwnSettings(empty, settings)).toThrow('There is no Crier data in /no/such/folder. ');
  expect(() => requireOwnSettings(empty, '/no/such/settings')).not.toThrow();
  expect(() => requireOwnSettings({ ...empty, databaseUrl: 'postgres://db/crier' }, settings)).not.toThrow();
});

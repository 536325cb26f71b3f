import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { refuseExposedAddress } from './exposed-address.ts';

const check = (environment: Record<string, string>) => refuseExposedAddress(readConfig(environment));

test.each(['0.0.0.0', '::', '10.0.0.5', '203.0.113.9', '2001:db8::1', '::ffff:10.0.0.5'])(
  'a start on %s without https or a trusted proxy is refused with what to do',
  async (HOST) => {
    await expect(check({ HOST })).rejects.toThrow(/passwords and API keys.*PUBLIC_URL.*TRUST_PROXY.*ALLOW_INSECURE=1/);
    await expect(check({ HOST, NETWORKS: 'live', PUBLIC_URL: 'http://crier.example.com' })).rejects.toThrow(HOST);
    await expect(check({ HOST, ALLOW_INSECURE: '0' })).rejects.toThrow(HOST);
  },
);

test.each([
  { PUBLIC_URL: 'https://crier.example.com' },
  { TRUST_PROXY: '10.0.0.1' },
  { ALLOW_INSECURE: '1' },
  { ROLES: 'worker' },
])('a start on all addresses is fine with %o', async (environment) => {
  await check({ HOST: '0.0.0.0', ...environment });
});

test.each(['127.0.0.1', '::1', 'localhost', '127.9.9.9'])('a start on %s is fine', async (HOST) => {
  await check({ HOST });
});

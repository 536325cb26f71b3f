import { lookup } from 'node:dns/promises';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../foundation/lib/loopback.ts';
import { StartError } from './start-error.ts';

type Settings = Pick<Config, 'host' | 'roles' | 'publicUrl' | 'trustProxy' | 'allowInsecure'>;

/**
 * Crier serves plain HTTP, so on an address that other machines can reach, a proxy in front of it must provide https.
 */
export async function refuseExposedAddress({ host, roles, publicUrl, trustProxy, allowInsecure }: Settings) {
  const isProtected = publicUrl?.startsWith('https://') || trustProxy.length > 0 || allowInsecure;
  if (isProtected || !roles.includes('api') || (await isLocal(host))) return;
  throw new StartError(
    `Other machines can reach Crier at HOST=${host}, and passwords and API keys would be sent unencrypted. ` +
      'Put a reverse proxy with https in front and set PUBLIC_URL to its https address or TRUST_PROXY to its IP address, ' +
      'set HOST to 127.0.0.1, or, on a network that you trust, set ALLOW_INSECURE=1.',
  );
}

/** A name that does not exist is reported when the port is opened. */
async function isLocal(host: string): Promise<boolean> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.every(({ address }) => isLoopback(address));
}

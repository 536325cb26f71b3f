import type { Account } from '../../store/accounts.ts';

/** The services of Bluesky, each on separate hosts. `handle` is the website at an account's handle. */
export type HostRole = 'pds' | 'appview' | 'video' | 'directory' | 'cdn' | 'web' | 'handle';

/** The login server for accounts that Bluesky hosts. It forwards their calls to the server that holds the account. */
export const entryway = 'bsky.social';
/** A server that someone else runs. */
export const selfHostedServer = 'pds.example.org';
export const videoHost = 'video.bsky.app';

const roles: Record<string, HostRole> = {
  [entryway]: 'pds',
  [selfHostedServer]: 'pds',
  'public.api.bsky.app': 'appview',
  'api.bsky.app': 'appview',
  [videoHost]: 'video',
  'plc.directory': 'directory',
  'cdn.bsky.app': 'cdn',
  'bsky.app': 'web',
};

const blueskyServers = ['morel.us-east', 'puffball.us-east', 'shimeji.us-east', 'enoki.us-west', 'amanita.us-west'];

export function hostRole(host: string): HostRole | undefined {
  if (Object.hasOwn(roles, host)) return roles[host];
  if (isBlueskyServer(host)) return 'pds';
  return host.endsWith(`.${entryway}`) || host.endsWith(`.${selfHostedServer}`) ? 'handle' : undefined;
}

export function servesHost(host: string): boolean {
  return hostRole(host) !== undefined;
}

/** The server that holds the account with this handle. Bluesky spreads accounts over several servers. */
export function serverOfHandle(handle: string): string {
  if (handle.endsWith(`.${selfHostedServer}`)) return selfHostedServer;
  const sum = [...handle].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return `${blueskyServers[sum % blueskyServers.length]}.host.bsky.network`;
}

export function holdsAccount(host: string, account: Account): boolean {
  const server = String(account.data.pds);
  return host === server || (host === entryway && isBlueskyServer(server));
}

/** A self-hosted server has the default limit; Bluesky's own servers have a larger one. */
export function blobLimit(host: string): number {
  return host === selfHostedServer ? 5 * 1024 * 1024 : 50 * 1024 * 1024;
}

export function isBlueskyServer(host: string): boolean {
  return host.endsWith('.host.bsky.network');
}

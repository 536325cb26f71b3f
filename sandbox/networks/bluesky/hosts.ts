import type { Account } from '../../store/accounts.ts';

/** The parts of the network that answer on hosts of their own. `handle` is the name of one account, as a web site. */
export type Place = 'pds' | 'appview' | 'video' | 'directory' | 'cdn' | 'web' | 'handle';

/** Signs in everyone whom Bluesky hosts, and passes their calls on to the server that really holds their account. */
export const entryway = 'bsky.social';
/** A server that somebody else runs. */
export const otherServer = 'pds.example.org';
export const videoHost = 'video.bsky.app';

const places: Record<string, Place> = {
  [entryway]: 'pds',
  [otherServer]: 'pds',
  'public.api.bsky.app': 'appview',
  'api.bsky.app': 'appview',
  [videoHost]: 'video',
  'plc.directory': 'directory',
  'cdn.bsky.app': 'cdn',
  'bsky.app': 'web',
};

const ownServers = ['morel.us-east', 'puffball.us-east', 'shimeji.us-east', 'enoki.us-west', 'amanita.us-west'];

export function placeOf(host: string): Place | undefined {
  if (Object.hasOwn(places, host)) return places[host];
  if (isOwnServer(host)) return 'pds';
  return host.endsWith(`.${entryway}`) || host.endsWith(`.${otherServer}`) ? 'handle' : undefined;
}

export function answersFor(host: string): boolean {
  return placeOf(host) !== undefined;
}

/** The server that holds the account of this handle: spread over several, as Bluesky does. */
export function serverOf(handle: string): string {
  if (handle.endsWith(`.${otherServer}`)) return otherServer;
  const sum = [...handle].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return `${ownServers[sum % ownServers.length]}.host.bsky.network`;
}

export function holds(host: string, account: Account): boolean {
  const server = String(account.data.pds);
  return host === server || (host === entryway && isOwnServer(server));
}

/** Small servers have the stock limit; Bluesky's own a larger one. */
export function blobLimit(host: string): number {
  return host === otherServer ? 5 * 1024 * 1024 : 50 * 1024 * 1024;
}

export function isOwnServer(host: string): boolean {
  return host.endsWith('.host.bsky.network');
}

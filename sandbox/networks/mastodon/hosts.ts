/** A stock server, and servers of other people: one name, or any name below it. */
export const defaultHost = 'mastodon.social';

export function answersFor(host: string): boolean {
  return host === defaultHost || host === 'mastodon.example' || host.endsWith('.mastodon.example');
}

/** A server that nobody has updated for years. */
const olderHost = 'old.mastodon.example';

export const versionOf = (host: string) => (host === olderHost ? '4.2.0' : '4.7.0');

/** Many statuses by their ids: since 4.3. */
export const listsStatuses = (host: string) => host !== olderHost;

/** Since 4.5. */
export const knowsQuotes = (host: string) => host !== olderHost;

/** Other people's servers allow longer posts, so that a client that assumes 500 is found out. */
export function maxCharacters(host: string): number {
  return host === defaultHost ? 500 : 5000;
}

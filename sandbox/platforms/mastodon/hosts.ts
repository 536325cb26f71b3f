/** The default server. Other servers are `mastodon.example` and any subdomain of it. */
export const defaultHost = 'mastodon.social';

export function servesHost(host: string): boolean {
  return host === defaultHost || host === 'mastodon.example' || host.endsWith('.mastodon.example');
}

/** A server with an old version. */
const olderHost = 'old.mastodon.example';

export const versionOf = (host: string) => (host === olderHost ? '4.2.0' : '4.7.0');

/** Reading several statuses by id exists since 4.3. */
export const listsStatuses = (host: string) => host !== olderHost;

/** Quotes exist since 4.5. */
export const knowsQuotes = (host: string) => host !== olderHost;

/** Another server software, whose token responses contain only the fields that OAuth requires. */
export const isTerse = (host: string) => host === 'terse.mastodon.example';

/** A fork that knows `read` and `write`, but no narrower scopes. */
export const knowsNarrowScopes = (host: string) => host !== 'whole.mastodon.example';

/**
 * A server like snac 2.75: it stores an account's files under their names and lists them under other ids, ignores
 * idempotency keys, returns all statuses of an account regardless of the requested page, and deletes none.
 */
export const isSmall = (host: string) => host === 'small.mastodon.example';

/** The other servers allow longer posts, so that a client that assumes 500 characters fails. */
export function maxCharacters(host: string): number {
  return host === defaultHost ? 500 : 5000;
}

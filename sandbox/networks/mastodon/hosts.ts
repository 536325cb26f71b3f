/** A stock server, and servers of other people: one name, or any name below it. */
export const defaultHost = 'mastodon.social';

export function answersFor(host: string): boolean {
  return host === defaultHost || host === 'mastodon.example' || host.endsWith('.mastodon.example');
}

/** Other people's servers allow longer posts, so that a client that assumes 500 is found out. */
export function maxCharacters(host: string): number {
  return host === defaultHost ? 500 : 5000;
}

/** The platform in the id of a connection: `mastodon-1234` is on `mastodon`. */
export const platformOf = (platformId: string) => platformId.slice(0, platformId.indexOf('-'));

const apiHosts = ['api.x.com', 'api.twitter.com'];
const siteHosts = ['x.com', 'twitter.com'];
const imageHost = 'pbs.twimg.com';

export function servesHost(host: string): boolean {
  return isApi(host) || isSite(host) || host === imageHost;
}

export function isApi(host: string): boolean {
  return apiHosts.includes(host);
}

/** The hosts of profiles, posts and the consent page. */
export function isSite(host: string): boolean {
  return siteHosts.includes(host);
}

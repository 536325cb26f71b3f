export const consentHost = 'accounts.google.com';
export const oauthHost = 'oauth2.googleapis.com';
/** The API is available at both hosts. */
export const apiHosts = ['www.googleapis.com', 'youtube.googleapis.com'];
export const siteHost = 'www.youtube.com';
export const shortHost = 'youtu.be';
/** The host of thumbnails. */
export const imageHost = 'i.ytimg.com';
export const avatarHost = 'yt3.ggpht.com';
export const analyticsHost = 'youtubeanalytics.googleapis.com';

const hosts = [consentHost, oauthHost, ...apiHosts, siteHost, shortHost, imageHost, avatarHost, analyticsHost];

export function servesHost(host: string): boolean {
  return hosts.includes(host);
}

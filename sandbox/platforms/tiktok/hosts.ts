export const apiHost = 'open.tiktokapis.com';
export const uploadHost = 'open-upload.tiktokapis.com';
/** The host of profiles, posts and the consent page. */
export const siteHost = 'www.tiktok.com';
/** The host of avatars. */
export const imageHost = 'p16-sign.tiktokcdn.com';

export function servesHost(host: string): boolean {
  return [apiHost, uploadHost, siteHost, imageHost].includes(host);
}

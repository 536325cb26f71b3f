export const apiHost = 'open.tiktokapis.com';
export const uploadHost = 'open-upload.tiktokapis.com';
/** Where people read and consent. */
export const siteHost = 'www.tiktok.com';
/** Avatars and covers. */
export const imageHost = 'p16-sign.tiktokcdn.com';

export function answersFor(host: string): boolean {
  return [apiHost, uploadHost, siteHost, imageHost].includes(host);
}

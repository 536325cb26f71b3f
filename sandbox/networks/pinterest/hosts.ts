export const apiHost = 'api.pinterest.com';
/** Where people read and consent. */
export const siteHost = 'www.pinterest.com';
export const imageHost = 'i.pinimg.com';

export const answersFor = (host: string) => [apiHost, siteHost, imageHost].includes(host);

export const apiHost = 'api.pinterest.com';
/** The host of profiles and of the consent page. */
export const siteHost = 'www.pinterest.com';
export const imageHost = 'i.pinimg.com';

export const servesHost = (host: string) => [apiHost, siteHost, imageHost].includes(host);

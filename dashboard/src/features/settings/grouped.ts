/** `JBSW Y3DP EHPK 3PXP`: a key in groups of four, for typing. */
export const grouped = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

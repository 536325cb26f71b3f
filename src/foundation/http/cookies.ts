import type { FastifyRequest } from 'fastify';

interface Place {
  publicUrl: string;
}

/** better-auth names its cookies in the same way. */
export const cookiePrefix = 'crier';

/** Names the challenge that a passkey has to sign. */
export const challengeCookie = 'passkey_challenge';

export const isSecure = ({ publicUrl }: Place) => publicUrl.startsWith('https://');

export const cookieName = (place: Place, name: string) =>
  `${isSecure(place) ? '__Secure-' : ''}${cookiePrefix}.${name}`;

/**
 * The value of a cookie of ours. Over https only the name with the prefix counts: somebody who can answer for a page without https,
 * on our host or one next to it, can give the browser a cookie, but none with that prefix.
 */
export function cookieOf(
  place: Place,
  { headers: { cookie = '' } }: Pick<FastifyRequest, 'headers'>,
  name: string,
): string | null {
  const start = `${cookieName(place, name)}=`;
  const found = cookie.split(';').find((part) => part.trimStart().startsWith(start));
  return found?.trim().slice(start.length) ?? null;
}

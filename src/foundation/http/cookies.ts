import type { FastifyRequest } from 'fastify';

interface Place {
  publicUrl: string;
}

/** better-auth uses the same prefix for its cookies. */
export const cookiePrefix = 'crier';

/** Identifies the challenge that a passkey has to sign. */
export const challengeCookie = 'passkey_challenge';

export const isSecure = ({ publicUrl }: Place) => publicUrl.startsWith('https://');

export const cookieName = (place: Place, name: string) =>
  `${isSecure(place) ? '__Secure-' : ''}${cookiePrefix}.${name}`;

/**
 * The value of one of our cookies. Over https, only the prefixed name counts: an attacker who controls a page without
 * https on our host or a sibling host can set a cookie, but not one with that prefix.
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

import type { FailureKind } from '../kit/index.ts';

/** What helps, where waiting for the engine to try again is not it: a little patience, or a new container. */
export type Remedy = 'wait' | 'renew';

export interface Meaning {
  kind: FailureKind;
  message: string;
  remedy?: Remedy | undefined;
}
export type Meanings = Readonly<Record<number, Meaning>>;

export const rejected = (message: string): Meaning => ({ kind: 'rejected', message });
export const unavailable = (message: string): Meaning => ({ kind: 'unavailable', message });

/** What the numbers mean at every network of Meta's, in the name of this one. */
export function commonMeanings(name: string) {
  const reconnect = 'Connect the account again.';
  const throttled: Meaning = { kind: 'rate_limited', message: `${name} asks to slow down.` };
  const notGranted: Meaning = {
    kind: 'auth',
    message: 'The permission to do this was not granted. Connect the account again, and allow all that is asked.',
  };
  const usedUp: Meaning = {
    kind: 'rate_limited',
    message: `The account has published as much as ${name} allows in 24 hours.`,
  };
  /** What `code` means, where the subcode says nothing. */
  const byCode: Meanings = {
    1: unavailable(`${name} is in trouble.`),
    2: unavailable(`${name} is in trouble.`),
    4: throttled,
    9: usedUp,
    10: notGranted,
    17: throttled,
    32: throttled,
    101: unavailable(`${name} does not know this service as an application. Its operator has to check id and secret.`),
    102: { kind: 'auth', message: `${name} no longer accepts the sign-in. ${reconnect}` },
    190: { kind: 'auth', message: `${name} no longer accepts the access token. ${reconnect}` },
    613: throttled,
  };
  const byStatus: Meanings = {
    401: { kind: 'auth', message: `${name} does not accept the access token. ${reconnect}` },
    403: notGranted,
    413: { kind: 'too_large', message: `This is too large for ${name}.` },
    429: throttled,
  };
  const notFetched = unavailable(`${name} could not fetch the media from this service.`);
  return { throttled, notGranted, usedUp, notFetched, byCode, byStatus };
}

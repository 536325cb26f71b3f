import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { cookieName, cookieOf, isSecure } from '../../../foundation/http/cookies.ts';
import { callerNetwork } from '../../../foundation/lib/caller-network.ts';
import { deviceName } from '../../../foundation/lib/device-name.ts';
import { hashSecret, newSecret } from '../../../foundation/lib/secrets.ts';
import { selectDevice, upsertDevice } from './devices-queries.ts';

/** The maximum time for which browsers keep a cookie. */
const cookieSeconds = 400 * 86_400;

export interface SignInDevice {
  /** Browser and operating system, human-readable. */
  device: string;
  /** The account has signed in before, but never with this device. */
  isNew: boolean;
}

/**
 * Remembers the device of a sign-in and marks it with a cookie. The cookie does not prove identity: it only lets the
 * device sign in while strangers are guessing. Accounts may share a device, so a cookie that we issued is kept.
 */
export async function rememberDevice(
  app: Pick<App, 'clock' | 'publicUrl'>,
  tx: Db,
  userId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignInDevice> {
  const seen = { address: callerNetwork(request.ip), device: deviceName(request.headers['user-agent']) };
  const { isKnown, isFirst, isIssued } = await selectDevice(tx, userId, {
    ...seen,
    tokenHash: deviceHashOf(app, request),
  });
  const sent = isIssued ? deviceTokenOf(app, request) : null;
  // A program without cookies that signs in every day from the same place does not need a new row each time.
  if (sent || !isKnown) {
    const token = sent ?? newSecret();
    await upsertDevice(tx, userId, { ...seen, tokenHash: hashSecret(token) }, app.clock.now());
    reply.header('set-cookie', deviceCookie(app, token));
  }
  return { device: seen.device, isNew: !isKnown && !isFirst };
}

/** Details for mails about sign-in changes, so that owners can tell whether they made the change themselves. */
export const changeNotice = ({ clock, publicUrl }: Pick<App, 'clock' | 'publicUrl'>, request: FastifyRequest) => ({
  at: clock.now().toISOString(),
  address: request.ip,
  device: deviceName(request.headers['user-agent']),
  resetUrl: `${publicUrl}/forgot-password`,
});

/** The hash of the device cookie, if the request has one. */
export function deviceHashOf(app: Pick<App, 'publicUrl'>, request: FastifyRequest): Buffer | null {
  const token = deviceTokenOf(app, request);
  return token === null ? null : hashSecret(token);
}

function deviceTokenOf(app: Pick<App, 'publicUrl'>, request: FastifyRequest): string | null {
  const token = cookieOf(app, request, 'device');
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}

const deviceCookie = (app: Pick<App, 'publicUrl'>, token: string) =>
  `${cookieName(app, 'device')}=${token}; Max-Age=${cookieSeconds}; Path=/; HttpOnly${isSecure(app) ? '; Secure' : ''}; SameSite=Lax`;

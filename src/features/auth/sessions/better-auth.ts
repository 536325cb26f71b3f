import { hkdfSync } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import type { App } from '../../../app.ts';
import { challengeCookie, cookiePrefix, isSecure } from '../../../foundation/http/cookies.ts';
import type { SealingKey } from '../../../foundation/lib/seal.ts';
import { hasTwoFactor } from '../access/queries.ts';
import { addressHeader } from './caller.ts';
import { provenSessions } from './proven-sessions.ts';
import { sessionTokenHashing } from './token-hashing.ts';

export { isAPIError } from 'better-auth/api';

/** The parts of the app that sign-in needs. */
export type AuthApp = Pick<App, 'db' | 'clock' | 'newId' | 'log' | 'sealingKeys' | 'publicUrl'>;
type BetterAuth = ReturnType<typeof build>;

/** The error code after a correct password if a second factor is required. The body contains the user's id. */
export const secondFactorCode = 'SECOND_FACTOR_REQUIRED';

const built = new WeakMap<AuthApp['db'], BetterAuth>();

/** One instance per connection pool, shared by all hooks and routes of an app. */
export function betterAuthOf(app: AuthApp): BetterAuth {
  const auth = built.get(app.db) ?? build(app);
  built.set(app.db, auth);
  return auth;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
/** A column of ours: better-auth reads it with the user and never sets it from a request. */
const ownColumn = { input: false, required: false } as const;

/**
 * better-auth checks passwords and stores sessions in our tables. None of its routes are served, and `accounts`
 * creates users.
 */
function build({ db, clock, newId, log, sealingKeys, publicUrl }: AuthApp) {
  return betterAuth({
    appName: 'Crier',
    baseURL: publicUrl,
    // A list, because a single secret could be overridden by an environment variable.
    secrets: [{ version: 1, value: secretFrom(sealingKeys.current) }],
    database: { db, type: 'postgres', transaction: true },
    plugins: [bearer(), sessionTokenHashing(), provenSessions(), passkeys(publicUrl)],
    emailAndPassword: { enabled: true, disableSignUp: true },
    user: {
      modelName: 'users',
      fields: { ...times, emailVerified: 'email_verified' },
      additionalFields: {
        plan: { ...ownColumn, type: 'string' },
        isActive: { ...ownColumn, type: 'boolean', fieldName: 'is_active' },
        heldAt: { ...ownColumn, type: 'date', fieldName: 'held_at' },
        holdExpiresAt: { ...ownColumn, type: 'date', fieldName: 'hold_expires_at' },
        holdReason: { ...ownColumn, type: 'string', fieldName: 'hold_reason' },
        deletionAt: { ...ownColumn, type: 'date', fieldName: 'deletion_at' },
      },
    },
    session: {
      modelName: 'auth_sessions',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      additionalFields: { lastUsedAt: { ...ownColumn, type: 'date', fieldName: 'last_used_at' } },
      // Routes that need a recent sign-in check that themselves, with the service's clock.
      freshAge: 0,
    },
    account: {
      modelName: 'auth_accounts',
      fields: {
        ...times,
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
      },
    },
    verification: { modelName: 'auth_verifications', fields: { ...times, expiresAt: 'expires_at' } },
    databaseHooks: {
      session: {
        create: {
          // Inactive users get no session, and the sign-in fails as with a wrong password.
          async before({ userId }, context) {
            const user = await context?.context.internalAdapter.findUserById(userId);
            if (!user || !('isActive' in user) || !user.isActive) return false;
            if (context?.path === '/sign-in/email' && (await hasTwoFactor(db, userId))) {
              throw new APIError('FORBIDDEN', { code: secondFactorCode, userId });
            }
            const now = clock.now();
            const ipAddress = context?.headers?.get(addressHeader) ?? null;
            return { data: { createdAt: now, lastUsedAt: now, ipAddress } };
          },
        },
      },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: isSecure({ publicUrl }),
      ipAddress: { disableIpTracking: true },
      database: { generateId: newId, joins: true, validateSchema: false },
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        // Anyone can send an invalid authenticator response, so it is not an error on our side.
        const isRefusal = /^Failed to verify (registration|authentication)/.test(message);
        log[isRefusal ? 'info' : 'error']({ details }, `sign-in: ${message}`);
      },
    },
  });
}

/** A passkey must verify its user (by fingerprint, face or PIN), so that it counts as two factors. */
function passkeys(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl);
  const requireVerifiedUser = (isVerified: boolean | undefined) => {
    if (!isVerified) throw new APIError('BAD_REQUEST', { code: 'USER_NOT_VERIFIED' });
  };
  return passkey({
    rpName: 'Crier',
    rpID: hostname,
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: challengeCookie },
    registration: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => requireVerifiedUser(verification.authenticationInfo.userVerified),
    },
    schema: {
      passkey: {
        modelName: 'auth_passkeys',
        fields: {
          publicKey: 'public_key',
          userId: 'user_id',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  });
}

/**
 * Derived from the sealing key, so that the cookie signing secret reveals nothing about the key that seals
 * credentials.
 */
const secretFrom = ({ secret }: SealingKey) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'crier: session cookies', 32)).toString('hex');

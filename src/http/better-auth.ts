import { hkdfSync } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { NewId } from '../lib/ids.ts';
import type { SealingKey, SealingKeys } from '../lib/seal.ts';
import { sessionTokenHashing } from './session-token-hashing.ts';

export { isAPIError } from 'better-auth/api';

export interface AuthNeeds {
  db: Database['db'];
  newId: NewId;
  log: Logger;
  sealingKeys: SealingKeys;
  publicUrl: string;
}
type BetterAuth = ReturnType<typeof build>;

/** Of the cookie `crier.session_token`. */
const cookiePrefix = 'crier';

const built = new WeakMap<AuthNeeds['db'], BetterAuth>();

/** One for each database connection pool: every hook and route of an app uses the same. */
export function betterAuthOf(app: AuthNeeds): BetterAuth {
  const auth = built.get(app.db) ?? build(app);
  built.set(app.db, auth);
  return auth;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
/** Ours: better-auth reads it along with the user, and never takes it from a request. */
const ours = { input: false, required: false } as const;

/** Checks passwords and keeps sessions, in our tables. Its own routes are not served, and users are made by `accounts`. */
function build({ db, newId, log, sealingKeys, publicUrl }: AuthNeeds) {
  return betterAuth({
    appName: 'Crier',
    baseURL: publicUrl,
    // As a list, so that variables of the environment cannot replace it.
    secrets: [{ version: 1, value: secretFrom(sealingKeys.current) }],
    database: { db, type: 'postgres', transaction: true },
    plugins: [bearer(), sessionTokenHashing()],
    emailAndPassword: { enabled: true, disableSignUp: true },
    user: {
      modelName: 'users',
      fields: { ...times, emailVerified: 'email_verified' },
      additionalFields: {
        plan: { ...ours, type: 'string' },
        isActive: { ...ours, type: 'boolean', fieldName: 'is_active' },
        heldAt: { ...ours, type: 'date', fieldName: 'held_at' },
        holdExpiresAt: { ...ours, type: 'date', fieldName: 'hold_expires_at' },
        holdReason: { ...ours, type: 'string', fieldName: 'hold_reason' },
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
          // Inactive users get no session, and sign-in answers as to a wrong password.
          async before({ userId }, context) {
            const user = await context?.context.internalAdapter.findUserById(userId);
            return Boolean(user && 'isActive' in user && user.isActive);
          },
        },
      },
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: publicUrl.startsWith('https://'),
      ipAddress: { disableIpTracking: true },
      database: { generateId: newId, joins: true, validateSchema: false },
    },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message, ...details) => log.error({ details }, `sign-in: ${message}`) },
  });
}

/** One purpose, one secret: what signs cookies tells nothing about what seals credentials. */
const secretFrom = ({ secret }: SealingKey) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'crier: session cookies', 32)).toString('hex');

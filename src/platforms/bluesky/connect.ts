import { type output, z } from 'zod';
import { parseUrl } from '../../foundation/lib/parse-url.ts';
import {
  type Account,
  type Context,
  type FormConnect,
  maxTokenLength,
  messages,
  type PlatformClient,
  PlatformError,
  type Renewed,
} from '../kit/index.ts';
import { atPds, type Credentials, NewSession, Profile, procedure, publicApi, query, SessionAccount } from './api.ts';
import { isAccountInactive } from './failure.ts';
import { handleFrom, isDid, isHandle } from './handle.ts';
import { findAccount, findMovedPds, findPds, pdsIn } from './identity.ts';

const appPasswords = 'Settings, Privacy and security, App passwords';

const steps = [
  'In Bluesky, open Settings > Privacy and security > App passwords.',
  'Create an app password and copy it. You can revoke it there at any time.',
  'Enter your handle and the app password below.',
];

const Fields = z
  .object({
    handle: z
      .string()
      .overwrite(handleFrom)
      .refine((name) => isHandle(name) || isDid(name), 'Enter your Bluesky handle, such as ann.bsky.social.')
      .meta({ title: 'Handle', description: 'Your Bluesky handle, such as ann.bsky.social.' }),
    appPassword: z
      .string()
      .trim()
      .min(1, `Enter an app password. Create one in Bluesky under ${appPasswords}.`)
      .meta({
        title: 'App password',
        description: `Created in Bluesky under ${appPasswords}. Not your account password.`,
        secret: true,
      }),
    pds: z
      .string()
      .overwrite(originFrom)
      .refine(
        (origin) => origin === '' || parseUrl(origin) !== null,
        'Enter the address of your server, such as pds.example.com.',
      )
      .default('')
      .meta({
        title: 'Server',
        description: 'Only if you run your own server and your handle cannot be found. Otherwise leave it empty.',
      }),
  })
  .meta({ description: steps.join('\n') });

export const connect: FormConnect<Credentials> = {
  kind: 'form',
  serverOfUser: true,
  fields: Fields,

  async finish(values, ctx) {
    const { handle, appPassword, pds: ownServer } = Fields.parse(values);
    const did = await findAccount(handle, ownServer || publicApi, ctx);
    const pds = await findPds(did, ctx);
    const session = await logIn({ pds, did, appPassword }, ctx);
    const { scope } = claimsOf(session.accessJwt);
    if (scope === fullAccess) throw new PlatformError('auth', accountPassword, { reason: scope });
    const account = await readAccount(session, ctx);
    return [{ ...renewed(session, { pds, appPassword }), account, scopes: scope ? [scope] : [] }];
  },

  async refresh(credentials, ctx) {
    const session = await renewSession(credentials, ctx).catch((error: unknown) => {
      // A session ends after at most 90 days without use. The app password opens a new one.
      const hasEnded = error instanceof PlatformError && error.kind === 'auth' && !isAccountInactive(error);
      if (hasEnded) return logIn(credentials, ctx);
      throw error;
    });
    const { did, didDoc } = session;
    // Bluesky moves accounts between its servers. The session stays valid.
    const pds = await findMovedPds(credentials, didDoc ? pdsIn(didDoc, did) : null, ctx);
    return renewed(session, { ...credentials, pds });
  },
};

export async function testConnection(ctx: Context<Credentials>): Promise<Account> {
  const session = await query(SessionAccount, atPds(ctx.credentials), 'com.atproto.server.getSession', {}, ctx);
  assertUsable(session, ctx.credentials.did);
  return readAccount(session, ctx, ctx.account);
}

/** The token scope for the account's main password. App passwords have a narrower one. */
const fullAccess = 'com.atproto.access';
const accountPassword = `This is the account password, which should not be shared. Create an app password in Bluesky (${appPasswords}) and connect with it.`;

async function logIn({ pds, did, appPassword }: Pick<Credentials, 'pds' | 'did' | 'appPassword'>, ctx: PlatformClient) {
  const json = { identifier: did, password: appPassword };
  const session = await procedure(NewSession, { origin: pds }, 'com.atproto.server.createSession', { json }, ctx);
  assertUsable(session, did);
  return session;
}

async function renewSession({ pds, did, refreshJwt }: Credentials, ctx: PlatformClient): Promise<NewSession> {
  const at = { origin: pds, token: refreshJwt };
  const session = await procedure(NewSession, at, 'com.atproto.server.refreshSession', {}, ctx);
  assertUsable(session, did);
  return session;
}

function assertUsable({ did, active, status }: SessionAccount, expected: string): void {
  if (did !== expected) {
    const message = 'The server of the Bluesky account responded for another account. Reconnect the account.';
    throw new PlatformError('auth', message, { reason: did });
  }
  if (active) return;
  const message = `The Bluesky account is ${status ?? 'not active'}. Sign in at Bluesky to see why, then reconnect it.`;
  throw new PlatformError('auth', message, { reason: status ?? 'active: false' });
}

function renewed(
  session: NewSession,
  { pds, appPassword }: Pick<Credentials, 'pds' | 'appPassword'>,
): Renewed<Credentials> {
  const { did, accessJwt, refreshJwt } = session;
  return {
    credentials: { pds, did, appPassword, accessJwt, refreshJwt },
    expiresAt: new Date(claimsOf(accessJwt).exp * 1000),
  };
}

/** A time that a Date can hold, whatever the server says. */
const Time = z.number().nonnegative().max(1e11);
const Claims = z.object({ exp: Time, scope: z.string().max(maxTokenLength).optional() });

function claimsOf(jwt: string): output<typeof Claims> {
  try {
    return Claims.parse(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()));
  } catch {
    throw new PlatformError('unavailable', messages.unreadable('Bluesky'));
  }
}

/** Names and images are in another service. If it cannot be read, keep what we have. */
async function readAccount({ did, handle }: SessionAccount, ctx: PlatformClient, known?: Account): Promise<Account> {
  const profile = await query(Profile, { origin: publicApi }, 'app.bsky.actor.getProfile', { actor: did }, ctx).catch(
    (error: unknown) => {
      if (error instanceof PlatformError && !ctx.signal.aborted) return null;
      throw error;
    },
  );
  return {
    id: did,
    handle,
    displayName: (profile ? profile.displayName : known?.displayName) || handle,
    avatarUrl: (profile ? profile.avatar : known?.avatarUrl) ?? null,
    profileUrl: `https://bsky.app/profile/${handle}`,
    traits: {},
  };
}

function originFrom(typed: string): string {
  const address = typed.trim();
  if (address === '') return '';
  // Always use https, because the response decides where the password is sent.
  return parseUrl(`https://${address.replace(/^https?:\/\//i, '')}`)?.origin ?? address;
}

import { isIP } from 'node:net';
import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { version } from '../../../foundation/http/version.ts';
import { verifiesAddresses } from '../../auth/sign-up/policy.ts';
import { hasUsers } from '../../auth/sign-up/queries.ts';
import { mailIsOn } from '../../mail/mailer.ts';
import type { DashboardSettings } from './sign-in-page-schema.ts';

/** The settings that pages need before sign-in. They are public. */
export async function signInPageSettings(
  app: Pick<App, 'db' | 'config' | 'publicUrl' | 'sandboxUrl'>,
): Promise<z.infer<typeof DashboardSettings>> {
  const reason = passkeyObstacle(new URL(app.publicUrl));
  return {
    signUp: await signUpState(app),
    verifiesEmail: verifiesAddresses(app.config),
    passwordResetByMail: mailIsOn(app),
    passkeys: { offered: reason === null, reason },
    sandboxUrl: app.sandboxUrl,
    version,
  };
}

/** By default, only the first user can sign up. */
async function signUpState({
  db,
  config: { signUp },
}: Pick<App, 'db' | 'config' | 'publicUrl' | 'sandboxUrl'>): Promise<'open' | 'invite' | 'closed'> {
  return signUp ?? ((await hasUsers(db)) ? 'closed' : 'open');
}

/** Browsers create passkeys only for domain names, and only on pages that no one can modify in transit. */
export function passkeyObstacle({ protocol, hostname }: URL): string | null {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return 'Passkeys need a domain name, but this Crier instance was opened by an IP address. On your own machine, open it as localhost.';
  }
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure ? null : 'Passkeys need https, but this Crier instance was opened over http.';
}

import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isOwnPassword } from '../access/session.ts';
import { type Assertion, userOfPasskey } from '../passkeys/better-auth.ts';
import { findPasskeyTime } from '../passkeys/queries.ts';
import { requireCodeIfOn } from '../two-factor/two-factor.ts';
import { countPasswordCheck } from './throttle.ts';

/** A stolen session alone must not be able to change how its user signs in. */
export async function requirePassword(app: App, password: string, request: FastifyRequest): Promise<void> {
  const giveBack = await countPasswordCheck(app, request.session.userId);
  if (!(await isOwnPassword(app, password, request))) throw new Problem('password_incorrect');
  await giveBack();
}

/** What a sign-in needs: the password, with a code if two-factor sign-in is on, or a passkey. */
export interface Proof {
  password?: string | undefined;
  code?: string | undefined;
  passkey?: Assertion | undefined;
}

/** Someone who steals a session right after the sign-in can add a passkey with it, of which the user gets a mail. */
const provesAfterMs = 86_400_000;

/** A stolen session alone must neither get all data of an account nor delete it. */
export async function requireProof(app: App, { password, code, passkey }: Proof, request: FastifyRequest) {
  if (passkey) return requireOwnPasskey(app, passkey, request);
  if (password === undefined) throw new Problem('password_required');
  await requirePassword(app, password, request);
  await requireCodeIfOn(app, code, request);
}

async function requireOwnPasskey(app: App, passkey: Assertion, request: FastifyRequest) {
  const { userId } = request.session;
  const giveBack = await countPasswordCheck(app, userId);
  if ((await userOfPasskey(app, passkey, request)) !== userId) throw new Problem('passkey_refused');
  await giveBack();
  const addedAt = await findPasskeyTime(app.db, userId, passkey.id);
  if (addedAt && app.clock.now().getTime() - addedAt.getTime() >= provesAfterMs) return;
  throw new Problem('passkey_refused', {
    error: 'This passkey was added less than a day ago. Confirm with your password instead.',
  });
}

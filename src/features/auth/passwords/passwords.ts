import { inPasswordTurn } from './turns.ts';
import { requireStrongPassword } from './weak-password.ts';

/** Loaded when it is needed, like the rest of better-auth. */
const loadHashing = () => import('better-auth/crypto');

/** The hash of a password that somebody chooses. Takes 100 ms on purpose. */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  await requireStrongPassword(password, email);
  const { hashPassword } = await loadHashing();
  return inPasswordTurn(email, () => hashPassword(password));
}

export async function isPassword(hash: string, password: string): Promise<boolean> {
  const { verifyPassword } = await loadHashing();
  return inPasswordTurn(hash, () => verifyPassword({ hash, password }));
}

import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { hasApiKey, lockWithManaged } from '../../users/queries.ts';
import { hasSession } from '../sessions/queries.ts';

/** The session or the API key that a request was let in with. */
export type Credential = { userId: string } & ({ sessionId: string } | { keyId: string });

export const credentialOf = ({ keyHolder, session }: FastifyRequest): Credential => keyHolder ?? session;

/**
 * For work that makes something which outlives the session or key, such as another key. Its owner may have ended it after this
 * request was let in, with everything else that a thief had made, and then nothing more may be made. Until the transaction
 * ends, it is not ended, and neither is the membership of the managed user whom the work concerns.
 */
export async function requireLive(tx: Db, credential: Credential, managedId: string | null = null): Promise<void> {
  const { userId } = credential;
  await lockWithManaged(tx, userId, managedId);
  if ('keyId' in credential) {
    if (!(await hasApiKey(tx, userId, credential.keyId))) throw new Problem('invalid_api_key');
  } else if (!(await hasSession(tx, userId, credential.sessionId))) throw new Problem('session_required');
}

import { userInfo } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Actor } from './audit-entry.ts';

type Caller = Pick<FastifyRequest, 'ip'>;

/** A user who is signing in or is signed in. */
export const userActor = (userId: string | null, { ip }: Caller): Actor => ({
  kind: 'user',
  id: userId,
  address: ip,
});

/** A program with an API key. */
export const keyActor = ({ keyPrefix }: { keyPrefix: string | null }, { ip }: Caller): Actor => ({
  kind: 'api_key',
  id: keyPrefix,
  address: ip,
});

/** The owner of the workspace, in a member's log. Hides the owner's address from the member. */
export const ownerActor = (ownerId: string): Actor => ({ kind: 'workspace_owner', id: ownerId, address: null });

/** A member of the workspace, in the owner's log. Hides the member's address from the owner. */
export const memberActor = (userId: string): Actor => ({ kind: 'user', id: userId, address: null });

/** A person without an account who has the connection link of a managed user. */
export const linkActor = ({ ip }: Caller): Actor => ({ kind: 'connection_link', id: null, address: ip });

/** The person who runs an admin command, identified by the account name on the machine. */
export const operatorActor = (): Actor => ({ kind: 'operator', id: userInfo().username, address: null });

/** Background work. */
export const systemActor: Actor = { kind: 'system', id: null, address: null };

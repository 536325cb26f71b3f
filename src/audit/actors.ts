import { userInfo } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Actor } from './audit-log.ts';

/** A person who signs in, or is signed in. */
export const userActor = (userId: string | null, { ip }: Pick<FastifyRequest, 'ip'>): Actor => ({
  kind: 'user',
  id: userId,
  address: ip,
});

/** The person who runs an admin command, by the name of the account on the machine. */
export const operatorActor = (): Actor => ({ kind: 'operator', id: userInfo().username, address: null });

/** Background work. */
export const systemActor: Actor = { kind: 'system', id: null, address: null };

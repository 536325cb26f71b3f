import type { FastifyRequest } from 'fastify';

/** Passes the caller's address to better-auth. Client requests never reach it with their own headers. */
export const addressHeader = 'x-crier-address';

/** Everything that better-auth may know about the caller. */
export const callerOf = ({ ip, headers }: FastifyRequest): Headers =>
  new Headers({ 'user-agent': headers['user-agent'] ?? '', [addressHeader]: ip });

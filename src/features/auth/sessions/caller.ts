import type { FastifyRequest } from 'fastify';

/** Carries the address of the caller into better-auth. Requests of clients never reach it with their own headers. */
export const addressHeader = 'x-crier-address';

/** All that better-auth may know about the caller. */
export const callerOf = ({ ip, headers }: FastifyRequest): Headers =>
  new Headers({ 'user-agent': headers['user-agent'] ?? '', [addressHeader]: ip });

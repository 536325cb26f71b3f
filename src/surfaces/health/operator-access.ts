import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { isLoopback } from '../../foundation/lib/loopback.ts';

/**
 * Whether a request may see the service's internal state. If a token is configured, callers with the token may.
 * Otherwise, everyone may in the sandbox, and in live mode only callers on this machine.
 */
export function operatorAccess({ metricsToken, platformMode }: Pick<App['config'], 'metricsToken' | 'platformMode'>) {
  return (request: FastifyRequest): boolean => {
    if (metricsToken !== null) return hasToken(request, metricsToken);
    return platformMode === 'sandbox' || isFromThisMachine(request);
  };
}

/** Hashes have equal lengths, which the constant-time comparison requires. */
function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(given), sha256(token));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * A caller on this machine comes from 127.0.0.1, or from the same address that it calls. A proxy on this machine
 * forwards other callers' requests, and marks them with a header.
 */
function isFromThisMachine({ ip, headers, socket: { remoteAddress, localAddress } }: FastifyRequest): boolean {
  const isOwn = isLoopback(ip) || (remoteAddress !== undefined && remoteAddress === localAddress);
  return isOwn && !forwardingHeaders.some((name) => headers[name] !== undefined);
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { nearestName } from '../../text/nearest-name.ts';
import type { Server } from '../server.ts';
import { sendProblem } from './error-handler.ts';

/** Sends a page for people. The status is set. */
export type NotFoundPage = (reply: FastifyReply) => FastifyReply;

declare module 'fastify' {
  interface FastifyInstance {
    notFoundPage: NotFoundPage | null;
  }
}

/**
 * Handles requests that match no route: 404 with `page` for a browser outside the API, 405 with the allowed methods if
 * the path exists, else 404 with the nearest path. The contract has withdrawn routes, which return 404 with a body
 * that is not JSON.
 */
export function setNotFoundHandler(server: Server, withdrawn: readonly string[], page: NotFoundPage | null) {
  server.decorate('notFoundPage', page);
  const methodsByPath = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = [method].flat().filter((name) => name !== 'OPTIONS');
    if (methods.length > 0) methodsByPath.set(url, new Set([...(methodsByPath.get(url) ?? []), ...methods]));
  });

  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!.replace(/(?<=.)\/$/, '');
    if (withdrawn.includes(path)) return sendPlain(request, reply, path);
    const shown = pageForPerson(request);
    if (shown) return shown(reply.code(404));
    const segments = path.split('/', maxSegments + 1);
    const isKnown = segments.length <= maxSegments;
    const [, methods] = (isKnown && [...methodsByPath].find(([pattern]) => matches(pattern, segments))) || [];
    if (!methods) return sendProblem(notFound(request.method, path, [...methodsByPath.keys()]), request, reply);
    const allow = [...methods].sort().join(', ');
    const error = `${request.method} is not allowed for ${path}. Allowed: ${allow}`;
    return sendProblem(new Problem('method_not_allowed', { error }), request, reply.header('allow', allow));
  });
}

const sendPlain = ({ method }: FastifyRequest, reply: FastifyReply, path: string) =>
  reply.code(404).type('text/plain; charset=utf-8').send(`Cannot ${method} ${path}\n`);

/** The page for someone who opened an address: browsers then ask for HTML. Null for programs, and without a dashboard. */
export function pageForPerson({ method, url, headers: { accept = '' }, server }: FastifyRequest): NotFoundPage | null {
  const isOpened = (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
  return isOpened && !/^\/(api\/.|(mcp|assets)(\/|\?|$))/.test(url) ? server.notFoundPage : null;
}

/** No route has more. */
const maxSegments = 20;

/** Static parts must match exactly, `:name` matches one segment and `*` the rest. */
function matches(pattern: string, theirs: readonly string[]): boolean {
  const own = pattern.split('/');
  const star = own.indexOf('*');
  const segments = star === -1 ? own : own.slice(0, star);
  const fits = star === -1 ? theirs.length === own.length : theirs.length > star;
  return (
    fits && segments.every((name, index) => (name.startsWith(':') ? theirs[index] !== '' : name === theirs[index]))
  );
}

function notFound(method: string, path: string, patterns: readonly string[]): Problem {
  const withoutPrefix = (name: string) => name.replace(/^\/api\/v1(?=\/)/, '');
  const similar = nearestName(withoutPrefix(path), patterns.map(withoutPrefix));
  const meant = similar && patterns.find((pattern) => withoutPrefix(pattern) === similar);
  const hint = meant
    ? `Did you mean ${meant}? GET /docs and /docs/dashboard list all routes.`
    : 'GET /docs and /docs/dashboard list all routes.';
  return new Problem('route_not_found', { error: `Cannot ${method} ${path}`, hint });
}

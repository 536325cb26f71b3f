import { isProblem, mismatch, operations, parsed } from './contract.ts';
import type { Answer } from './send.ts';
import type { Shot } from './shots.ts';
import type { Tenant } from './tenants.ts';

/** Finds violations in a response. */
export const judge = {
  operationIds: operations.map(({ operationId }) => operationId),

  answer(shot: Shot, answer: Answer, tenants: readonly Tenant[]): string[] {
    learn(shot, answer);
    return [
      ...serverError(shot, answer),
      ...shape(shot, answer),
      ...leaks(shot, answer, tenants),
      ...foreign(shot, answer),
    ];
  },
};

/** Statuses that no route documents: they come from the server itself. */
const serverStatuses = new Set([
  200, 201, 202, 204, 206, 302, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 416, 431, 503,
]);

function shape({ operation, method }: Shot, { status, type, text }: Answer): string[] {
  if (method === 'HEAD' || method === 'OPTIONS') return [];
  // The server rejects oversized headers before it looks for a route.
  if (status === 431) return list(isProblem(text));
  if (!operation) return serverStatuses.has(status) ? [] : [`${status} from the server: ${text.slice(0, 200)}`];
  return list(mismatch(operation, status, type, text)).map((what) => `${status} ${what}: ${text.slice(0, 300)}`);
}

/**
 * An internal error is a bug wherever it happens; the log has its stack. The contract names two exceptions: get-post
 * with a malformed id, and LinkedIn's own errors, which are passed on.
 */
function serverError({ operation, target }: Shot, { status, text }: Answer): string[] {
  if (status < 500 || status === 503 || status === 504) return [];
  const isNamed =
    target.startsWith('/api/v1/get-post/') ||
    (operation?.path.startsWith('/linkedin-') &&
      operation.responses[status] &&
      /"(details|errors|message)"/.test(text));
  return isNamed ? [] : [`${status}: ${text.slice(0, 300)}`];
}

/** No response may contain text of another tenant, unless the request itself, which may be anonymous, contained it. */
const leaks = ({ tenant, body }: Shot, { text }: Answer, tenants: readonly Tenant[]): string[] =>
  tenants
    .filter((other) => other !== tenant && !body?.includes(other.mark))
    .filter((other) => text.includes(other.mark) || text.includes(other.apiKey))
    .map((other) => `shows what belongs to ${other.name}: ${text.slice(0, 300)}`);

const foreign = ({ isForeign, operation }: Shot, { status, text, type }: Answer): string[] =>
  isForeign && operation && status < 300 && !type.startsWith('text/event-stream')
    ? [`accepts an id of another tenant: ${status} ${text.slice(0, 200)}`]
    : [];

function learn({ tenant, operation, isForeign }: Shot, { status, text }: Answer) {
  if (!tenant || !operation || isForeign || status >= 300) return;
  tenant.ids.learn(operation.path, parsed(text));
}

const list = (what: string | null): string[] => (what === null ? [] : [what]);

import { knowsNarrowScopes } from '../hosts.ts';

const wholeScopes = ['read', 'write', 'follow', 'push'];
const families = ['read', 'write', 'follow', 'push', 'profile', 'admin:read', 'admin:write'];

export function isScope(scope: string, host: string): boolean {
  if (!knowsNarrowScopes(host)) return wholeScopes.includes(scope);
  return families.some((family) => scope === family || scope.startsWith(`${family}:`));
}

/** Returns whether an app registered for `registered` may ask for `asked`. `write` covers `write:statuses`. */
export function isWithin(asked: string, registered: string): boolean {
  const allowed = registered.split(' ');
  return asked.split(/\s+/).every((scope) => allowed.includes(scope) || allowed.includes(scope.replace(/:[^:]*$/, '')));
}

import type { Route, SandboxPlatform } from '../platform.ts';

export interface Match {
  readonly platform: SandboxPlatform;
  /** Undefined when the platform serves the host but has no such path. */
  readonly route: Route | undefined;
  readonly params: Record<string, string>;
}

export type Router = (method: string, host: string, path: string) => Match | undefined;

/** The router returns undefined when no platform serves the host. */
export function createRouter(platforms: readonly SandboxPlatform[]): Router {
  const tables = platforms.map((platform) => ({ platform, find: compile(platform.routes) }));
  return (method, host, path) => {
    let first: Match | undefined;
    for (const { platform, find } of tables) {
      if (!platform.servesHost(host)) continue;
      const found = find(method, path);
      if (found) return { platform, ...found };
      first ??= { platform, route: undefined, params: {} };
    }
    return first;
  };
}

type Find = (method: string, path: string) => { route: Route; params: Record<string, string> } | undefined;

function compile(routes: readonly Route[]): Find {
  const compiled = routes.map((route) => ({ route, pattern: isFixed(route.path) ? null : toPattern(route.path) }));
  return (method, path) => {
    // The HTTP server drops the body of a response to HEAD, so the GET route can serve it.
    const wanted = method === 'HEAD' ? 'GET' : method;
    for (const { route, pattern } of compiled) {
      if (route.method !== wanted) continue;
      if (pattern === null) {
        if (route.path === path) return { route, params: {} };
        continue;
      }
      const groups = pattern.exec(path)?.groups;
      if (groups) return { route, params: decode(groups) };
    }
    return undefined;
  };
}

function isFixed(path: string): boolean {
  return !path.includes(':') && !path.endsWith('*');
}

function toPattern(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:(\w+)/g, '(?<$1>[^/]+?)')
    .replace(/\*$/, '(?<rest>.*)');
  return new RegExp(`^${source}$`);
}

function decode(groups: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    } catch {
      params[name] = value;
    }
  }
  return params;
}

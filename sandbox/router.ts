import type { Network, Route } from './network.ts';

export interface Match {
  readonly network: Network;
  /** Undefined when the network answers for the host but has no such path. */
  readonly route: Route | undefined;
  readonly params: Record<string, string>;
}

export type Router = (method: string, host: string, path: string) => Match | undefined;

/** Undefined when no network answers for the host. */
export function createRouter(networks: readonly Network[]): Router {
  const tables = networks.map((network) => ({ network, find: compile(network.routes) }));
  return (method, host, path) => {
    let first: Match | undefined;
    for (const { network, find } of tables) {
      if (!network.answersFor(host)) continue;
      const found = find(method, path);
      if (found) return { network, ...found };
      first ??= { network, route: undefined, params: {} };
    }
    return first;
  };
}

type Find = (method: string, path: string) => { route: Route; params: Record<string, string> } | undefined;

function compile(routes: readonly Route[]): Find {
  const compiled = routes.map((route) => ({ route, pattern: isFixed(route.path) ? null : toPattern(route.path) }));
  return (method, path) => {
    // A HEAD is a GET whose body the HTTP server drops.
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

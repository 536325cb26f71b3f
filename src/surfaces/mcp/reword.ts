import type { Operations } from './operations.ts';
import { routeOf, type Tool } from './tool.ts';

/** Replaces route names with the names of the tools that call them. */
export type Reword = (text: string) => string;

/**
 * The texts of the REST API name its routes, as `GET /list-posts` or as `create-post`. An agent knows neither.
 * A value in double quotes, such as "next-slot", stays.
 */
export function rewordForTools(tools: readonly Tool[], operations: Operations): Reword {
  const routes = tools.map((tool) => ({ tool, ...routeOf(operations, tool) }));
  const nameOf = (url: string) => url.split('/')[3] ?? '';
  const isItsOwn = (name: string) => routes.filter(({ url }) => nameOf(url) === name).length === 1;
  const words: [RegExp, string][] = [
    ...routes.map(({ tool, method, url }): [RegExp, string] => [callOf(String(method), url), tool.name]),
    ...routes
      .filter(({ url }) => nameOf(url).includes('-') && isItsOwn(nameOf(url)))
      .map(({ tool, url }): [RegExp, string] => [new RegExp(`(?<![\\w/"-])${nameOf(url)}(?![\\w-])`, 'g'), tool.name]),
    [/Idempotency-Key/g, 'idempotencyKey'],
  ];
  return (text) => words.reduce((reworded, [pattern, name]) => reworded.replace(pattern, name), text);
}

/** `DELETE /media/{mediaId}` */
function callOf(method: string, url: string): RegExp {
  const path = url.replace(/^\/api\/v1/, '').replace(/:(\w+)/g, '\\{$1\\}');
  return new RegExp(`${method} ${path}(?![\\w/-])`, 'g');
}

import type { Json } from '../../../src/foundation/lib/json.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { packageVersion } from './package.ts';
import { camelCase, camelCased, queryObject } from './queries.ts';
import { type TypedCall, type TypedValue, typeSpec, uploadedFile } from './type-check.ts';

const name = 'masto';

/** The library's client has a property for each path segment, so its types know paths, methods and both bodies. */
export function mastodonSpec() {
  return typeSpec({
    source: packageVersion(name),
    limits: `Others than Mastodon maintain it. Not checked: ${loose.join(', ')}.`,
    imports: [
      `import type { mastodon } from '${name}';`,
      'type Api = mastodon.rest.Client;',
      'type Selected<R> = R extends { $select(id: string): infer S } ? S : never;',
      'type GET<R> = R extends { fetch: infer F } ? F : R extends { list: infer L } ? L : never;',
      'type POST<R> = R extends { create: infer F } ? F : R extends (...args: never[]) => unknown ? R : never;',
      'type PUT<R> = R extends { update: infer F } ? F : never;',
      'type DELETE<R> = R extends { remove: infer F } ? F : never;',
      'type Sent<M> = [M] extends [never] ? never : M extends (...args: infer A) => unknown ? NonNullable<A[0]> : never;',
      `type Loose = ${loose.map((field) => `'${field}'`).join(' | ')};`,
      'type Fixed<T> = T extends readonly (infer E)[] ? Fixed<E>[] : T extends object ? { [K in keyof T as K extends Loose ? never : K]: Fixed<T[K]> } & { [K in Loose]?: unknown } : T;',
      'type Answered<M> = M extends (...args: never[]) => infer R ? R extends mastodon.Paginator<infer E, infer _> ? E : Awaited<R> : never;',
    ].join(' '),
    typesOf,
  });
}

/**
 * Fields that the library declares differently from https://docs.joinmastodon.org/entities (read 2026-11-16) or from
 * what servers send: it lacks some, requires some that only the newest servers send, and allows null for none of these.
 */
const loose = [
  ...['featureApproval', 'indexable', 'lastStatusAt', 'role', 'roles', 'source', 'uri'],
  ...['application', 'previewRemoteUrl', 'previewUrl', 'tags', 'textUrl'],
];
/** Here it differs in most fields. */
const notDescribed = new Set(['/api/v1/apps', '/api/v2/instance']);

/** The library declares two overloads of this name, and the compiler sees only the last. */
const overloaded: Readonly<Record<string, { request: string; answer: string }>> = {
  'POST /api/v1/statuses': { request: 'mastodon.rest.v1.CreateStatusParams', answer: 'mastodon.v1.Status' },
};
const errorType = '{ error: string; errorDescription?: string }';
/** Path segments that are GET requests, although the library calls them as functions. */
const readCalls = new Set(['verify_credentials', 'lookup']);

function typesOf(exchange: Exchange): TypedCall | null {
  const { method, path, answer } = exchange;
  if (path.startsWith('/oauth/')) return tokenCall(exchange);
  const known = overloaded[`${method} ${path}`];
  const call = callType(method, path);
  if (call === null) return { values: [], problems: [`${method} ${path} is not in the library.`] };
  const sent = sentIn(exchange);
  const isSuccess = answer !== null && answer.status < 300;
  const values: TypedValue[] = [{ of: 'request', type: `[${call}] extends [never] ? never : true`, value: true }];
  if (isObject(sent) && Object.keys(sent).length > 0) {
    const type = known?.request ?? (method === 'GET' ? `Query<Sent<${call}>>` : `Sent<${call}>`);
    values.push({ of: 'request', type, value: sent });
  }
  if (isSuccess && !notDescribed.has(path)) {
    const type = `Fixed<${known?.answer ?? `Answered<${call}>`}>`;
    values.push({ of: 'answer', type, value: camelCased(answer.body) });
  }
  if (answer && !isSuccess) values.push({ of: 'answer', type: errorType, value: camelCased(answer.body) });
  return { values };
}

function tokenCall({ method, path, request, answer }: Exchange): TypedCall {
  if (method !== 'POST' || path !== '/oauth/token') {
    return { values: [], problems: [`${method} ${path} is not in the library.`] };
  }
  const { code_verifier: _, ...sent } = isObject(request.body) ? request.body : {};
  return {
    values: [
      { of: 'request', type: 'mastodon.oauth.CreateTokenParams', value: camelCased(sent) },
      ...(answer?.status === 200
        ? [{ of: 'answer' as const, type: 'mastodon.v1.Token', value: camelCased(answer.body) }]
        : []),
    ],
  };
}

function callType(method: string, path: string): string | null {
  const [, api, version = '', ...parts] = path.split('/');
  if (api !== 'api') return null;
  const last = parts.at(-1) ?? '';
  const resource = parts.reduce(
    (type, part) => (/^\d+$/.test(part) ? `Selected<${type}>` : `${type}['${camelCase(part)}']`),
    `Api['${version}']`,
  );
  if (readCalls.has(last)) return method === 'GET' ? resource : 'never';
  return ['GET', 'POST', 'PUT', 'DELETE'].includes(method) ? `${method}<${resource}>` : null;
}

function sentIn({ method, query, request }: Exchange): Json {
  if (method === 'GET') return camelCased(queryObject(query));
  if (!isObject(request.body)) return null;
  const isFile = (value: Json) => isObject(value) && typeof value.bytes === 'number';
  const fields = Object.entries(request.body).map(([field, value]) => [field, isFile(value) ? uploadedFile : value]);
  return camelCased(Object.fromEntries(fields));
}

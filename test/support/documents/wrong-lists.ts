import { bodyOf, type DescribedService, prefix, type Route, type Schema } from './described-service.ts';

export interface Attack {
  /** For example `POST /create-post firstComments.0.platforms`. */
  name: string;
  method: 'POST' | 'PUT' | 'PATCH';
  url: string;
  takesKey: boolean;
  /** The body with this many wrong entries. */
  body(entries: number): object;
}

interface Sent {
  /** Values for the path parameters. */
  ids: Record<string, string>;
  /** Connections that exist. */
  platforms: string[];
}

/** For every array and record in the body of a route, the example of the route with wrong entries there. */
export function wrongLists(service: DescribedService, sent: Sent): Attack[] {
  const described = service.routes.flatMap((route) => {
    const { operation, path, method } = route;
    const example = operation.requestBody?.content['application/json']?.example;
    const url = prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => sent.ids[name] ?? 'a'.repeat(24));
    const takesKey = (operation.security ?? []).some((entry) => 'apiKey' in entry);
    return [...listsIn(bodyOf(route), [])].map(({ path: at, entry }): Attack => {
      const body = (entries: number) => withList(withPlatforms(example, sent), at, entry(entries));
      return { name: nameOf(route, at), method: method as 'POST', url, takesKey, body };
    });
  });
  return [...described, ...undescribed];
}

const nameOf = ({ name }: Route, at: readonly Step[]) => `${name} ${at.join('.')}`;

type Step = string | 0;
interface List {
  path: Step[];
  /** A value of this kind with this many wrong entries. */
  entry(entries: number): object;
}

const wrongArray = (entries: number) => Array.from({ length: entries }, () => 1);
const wrongTexts = (entries: number) => Array.from({ length: entries }, (_, i) => `a wrong entry ${i}`);
const wrongRecord = (entries: number) => Object.fromEntries(wrongArray(entries).map((one, i) => [`k${i}`, one]));

function* listsIn(schema: Schema | undefined, path: Step[]): Generator<List> {
  if (!schema) return;
  const {
    properties = {},
    items,
    anyOf = [],
    allOf = [],
    additionalProperties,
  } = schema as Schema & {
    allOf?: Schema[];
  };
  if (items) {
    for (const entry of [wrongArray, wrongTexts]) yield { path, entry };
    yield* listsIn(items, [...path, 0]);
  }
  // An object that accepts anything has no wrong entries.
  const isRecord = typeof additionalProperties === 'object' && Object.keys(additionalProperties ?? {}).length > 0;
  if (isRecord) yield { path, entry: wrongRecord };
  for (const one of [...anyOf, ...allOf]) yield* listsIn(one, path);
  for (const [name, field] of Object.entries(properties)) yield* listsIn(field, [...path, name]);
}

/** Uses existing connections, because settings are read after them. */
function withPlatforms(example: unknown, { platforms }: Sent): Record<string, unknown> {
  const body = { ...(example as Record<string, unknown>) };
  if (Array.isArray(body.posts)) body.posts = body.posts.map((post) => withPlatforms(post, { ids: {}, platforms }));
  return 'platforms' in body ? { ...body, platforms } : body;
}

const alternatives: Record<string, string> = { firstComment: 'firstComments', firstComments: 'firstComment' };

function withList(body: unknown, [step, ...rest]: readonly Step[], list: object): object {
  if (step === undefined) return list;
  if (step === 0) return [withList(Array.isArray(body) ? body[0] : {}, rest, list)];
  const fields = (typeof body === 'object' ? body : {}) as Record<string, unknown>;
  const { [alternatives[step] ?? '']: _, ...others } = fields;
  return { ...others, [step]: withList(fields[step], rest, list) };
}

const page = (name: string, url: string, body: Attack['body']): Attack => ({
  name: `POST ${url} ${name}`,
  method: 'POST',
  url,
  takesKey: false,
  body,
});
const redirects = { redirect_uris: ['http://localhost/callback'] };

/** Routes outside of the API that no document describes. */
const undescribed: Attack[] = [
  page('accountIds', `/connect/x/choices/${'a'.repeat(24)}`, (entries) => ({ accountIds: wrongArray(entries) })),
  page('fields', '/networks/facebook/deauthorized', wrongRecord),
  page('fields', '/networks/facebook/data-deletion', wrongRecord),
  page('redirect_uris', '/register', (entries) => ({ redirect_uris: wrongArray(entries) })),
  page('redirect_uris as texts', '/register', (entries) => ({ redirect_uris: wrongTexts(entries) })),
  page('grant_types', '/register', (entries) => ({ ...redirects, grant_types: wrongArray(entries) })),
  page('response_types', '/register', (entries) => ({ ...redirects, response_types: wrongArray(entries) })),
  ...['/mcp', '/'].map((url) =>
    page('icons', url, (entries) => {
      const clientInfo = { name: 'a', version: '1', icons: wrongArray(entries) };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    }),
  ),
];

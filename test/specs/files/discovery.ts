import type { Json } from '../../../src/foundation/lib/json.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { matchPath } from '../match-path.ts';
import { notCovered, type Spec, type Verdict } from '../spec.ts';
import { type Resolve, type Schema, schemaProblems } from './json-schema.ts';

/** Google's own API description format. */
export interface Discovery {
  readonly discoveryVersion: string;
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly resources: Readonly<Record<string, Resource>>;
}
interface Resource {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}
interface Method {
  readonly httpMethod: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly request?: { readonly $ref: string };
  readonly response?: { readonly $ref: string };
  readonly mediaUpload?: { readonly protocols: Readonly<Record<string, { readonly path: string }>> };
}
type Parameter = Schema & { readonly location: string; readonly required?: boolean; readonly repeated?: boolean };

export function discoverySpec(document: Discovery, file: string): Spec {
  const { name, version, revision } = document;
  return {
    source: `${name} ${version} of ${revision} (discovery document, ${file})`,
    check: async (exchanges) => exchanges.map((exchange) => verdictOn(exchange, document)),
  };
}

function verdictOn(exchange: Exchange, document: Discovery): Verdict {
  const { method, path, query, request, answer } = exchange;
  // The token and the bytes of a resumable upload follow separate standards.
  if (!path.includes(`/${document.name}/${document.version}/`) || query.has('upload_id')) return notCovered(exchange);
  const found = methodsIn(document).find(
    (one) => one.httpMethod === method && pathsOf(one).some((template) => matchPath(template, path)),
  );
  const hasAnswer = answer !== null && answer.status < 300 && isObject(answer.body);
  const covers = { request: true, answer: hasAnswer && Boolean(found?.response) };
  if (!found) return { exchange, covers, problems: [`${method} ${path} is not in the document.`] };
  const resolve: Resolve = (ref) => document.schemas[ref] ?? {};
  const body = (value: Json, reference: Method['request'], of: string) =>
    reference && isObject(value) ? schemaProblems(value, reference, resolve).map((problem) => `${of}: ${problem}`) : [];
  const problems = [
    ...queryProblems(exchange, { ...document.parameters, ...found.parameters }, resolve),
    ...body(request.body, found.request, 'request'),
    ...(covers.answer ? body(answer?.body ?? null, found.response, 'answer') : []),
  ];
  return { exchange, covers, problems };
}

function methodsIn({ resources = {} }: Pick<Resource, 'resources'>): Method[] {
  return Object.values(resources).flatMap((resource) => [
    ...Object.values(resource.methods ?? {}),
    ...methodsIn(resource),
  ]);
}

const pathsOf = ({ path, mediaUpload }: Method) => [
  `/${path}`,
  ...Object.values(mediaUpload?.protocols ?? {}).map((protocol) => protocol.path),
];

function queryProblems({ query }: Exchange, known: Readonly<Record<string, Parameter>>, resolve: Resolve): string[] {
  const missing = Object.entries(known)
    .filter(([name, { location, required }]) => required && location === 'query' && !query.has(name))
    .map(([name]) => `request: the parameter "${name}" is missing`);
  const wrong = [...query].flatMap(([name, text]) => {
    const parameter = known[name];
    if (parameter?.location !== 'query') return [`the parameter "${name}" is unknown`];
    const { required: _, ...schema } = parameter;
    const values = parameter.repeated ? text.split(',') : [text];
    return values.flatMap((value) => schemaProblems(typed(value, schema.type), schema, resolve, `?${name}`));
  });
  return [...missing, ...wrong.map((problem) => `request: ${problem}`)];
}

function typed(text: string, type: Schema['type']): Json {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

import type { Json } from '../../../src/lib/json.ts';
import { type Exchange, isObject, type Message } from '../exchange.ts';
import { matchPath } from '../match-path.ts';
import type { Spec, Verdict } from '../spec.ts';
import { type Resolve, type Schema, schemaProblems } from './json-schema.ts';

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
}
type PathItem = Readonly<Record<string, Operation | readonly Parameter[]>>;
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Body>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema?: Schema;
}
interface Body {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export function openApiSpec(document: OpenApi, file: string): Spec {
  const { title, version } = document.info;
  return {
    source: `${title} ${version} (OpenAPI, ${file})`,
    check: async (exchanges) => exchanges.map((exchange) => verdictOn(exchange, document)),
  };
}

function verdictOn(exchange: Exchange, document: OpenApi): Verdict {
  const { method, path, answer } = exchange;
  const found = findOperation(document, method, path);
  if (!found) {
    const covers = { request: true, answer: false };
    return { exchange, covers, problems: [`${method} ${path} is not in the document.`] };
  }
  const resolve: Resolve = (ref) => lookUp(document, ref);
  const { operation, parameters } = found;
  const expected = answer && responseFor(operation, answer.status, document);
  const problems = [
    ...queryProblems(exchange, parameters, resolve).map((problem) => `request: ${problem}`),
    ...requestProblems(exchange, operation, document, resolve).map((problem) => `request: ${problem}`),
    ...(answer && expected ? bodyProblems(answer, expected, resolve) : []).map((problem) => `answer: ${problem}`),
  ];
  return { exchange, covers: { request: true, answer: Boolean(expected) }, problems };
}

function findOperation(document: OpenApi, method: string, path: string) {
  const base = new URL(document.servers?.[0]?.url.replace(/\{\w+\}/g, 'host') ?? 'https://host').pathname.replace(
    /\/$/,
    '',
  );
  if (!path.startsWith(base)) return null;
  const matching = Object.entries(document.paths)
    .filter(([template]) => matchPath(template, path.slice(base.length)))
    // A path without parameters is more precise.
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
  for (const [, item] of matching) {
    const operation = item[method.toLowerCase()];
    if (!operation || Array.isArray(operation)) continue;
    const shared = Array.isArray(item.parameters) ? item.parameters : [];
    const own = (operation as Operation).parameters ?? [];
    const parameters = [...shared, ...own].map((one: Parameter) =>
      one.$ref ? lookUp<Parameter>(document, one.$ref) : one,
    );
    return { operation: operation as Operation, parameters };
  }
  return null;
}

function queryProblems({ query }: Exchange, parameters: readonly Parameter[], resolve: Resolve): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const problems = known
    .filter(({ name, required }) => required && !query.has(name) && !query.has(`${name}[]`))
    .map(({ name }) => `the parameter "${name}" is missing`);
  for (const name of new Set(query.keys())) {
    const parameter = known.find((one) => one.name === name || `${one.name}[]` === name);
    if (!parameter) problems.push(`the parameter "${name}" is unknown`);
    else if (parameter.schema) {
      const schema = parameter.schema.$ref ? resolve(parameter.schema.$ref) : parameter.schema;
      const values = query.getAll(name).flatMap((text) => (schema.type === 'array' ? text.split(',') : [text]));
      const value =
        schema.type === 'array'
          ? values.map((text) => typed(text, schema.items, resolve))
          : typed(values[0] ?? '', schema, resolve);
      problems.push(...schemaProblems(value, schema, resolve, `?${name}`));
    }
  }
  return problems;
}

/** A form and a query have only texts. */
function typed(text: string, given: Schema | undefined, resolve: Resolve): Json {
  const schema = given?.$ref ? resolve(given.$ref) : given;
  const types = [schema?.type ?? []].flat();
  if (types.some((type) => type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function requestProblems({ request }: Exchange, operation: Operation, document: OpenApi, resolve: Resolve): string[] {
  const given = operation.requestBody;
  const expected = given?.$ref ? lookUp<Operation['requestBody']>(document, given.$ref) : given;
  const isEmpty = request.body === null || (isObject(request.body) && Object.keys(request.body).length === 0);
  if (isEmpty) return expected?.required ? ['the body is missing'] : [];
  return expected ? bodyProblems(request, expected, resolve) : ['the document has no body'];
}

function bodyProblems({ headers, body }: Message, { content = {} }: Body, resolve: Resolve): string[] {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (Object.keys(content).length === 0) return [];
  // A vendor that takes forms takes the same fields in all three ways of writing them, unless it says otherwise.
  const schema = (content[type] ?? (body !== null && type.includes('json') ? content['application/json'] : undefined))
    ?.schema;
  if (!schema) return body === null ? [] : [`the type "${type}" is not one of ${Object.keys(content).join(', ')}`];
  const value = type.includes('form') ? formValue(body, schema, resolve) : body;
  return schemaProblems(value, schema, resolve);
}

function formValue(body: Json, given: Schema, resolve: Resolve): Json {
  const schema = given.$ref ? resolve(given.$ref) : given;
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, Json] => {
      // A file is described by its name, type and size.
      if (isObject(value) && typeof value.bytes === 'number') return [name, '(a file)'];
      return [name, typeof value === 'string' ? typed(value, fieldOf(schema, name, resolve), resolve) : value];
    }),
  );
}

function fieldOf(schema: Schema, name: string, resolve: Resolve): Schema | undefined {
  const own = schema.properties?.[name];
  if (own) return own;
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const found = fieldOf(part.$ref ? resolve(part.$ref) : part, name, resolve);
    if (found) return found;
  }
  return undefined;
}

function responseFor({ responses = {} }: Operation, status: number, document: OpenApi): Body | null {
  const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  return (found?.$ref ? lookUp<Body>(document, found.$ref) : found) ?? null;
}

function lookUp<T = Schema>(document: OpenApi, ref: string): T {
  const parts = ref
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  let place: unknown = document;
  for (const part of parts) place = (place as Record<string, unknown>)[part];
  if (place === undefined) throw new Error(`The document has no ${ref}.`);
  return place as T;
}

import { type Exchange, isObject, type Message } from '../exchange.ts';
import type { Spec, Verdict } from '../spec.ts';
import { formValue, queryValue } from './form-values.ts';
import { type Resolve, type Schema, schemaProblems } from './json-schema.ts';
import {
  type Body,
  findOperation,
  lookUp,
  type OpenApi,
  type Operation,
  type Parameter,
  resolved,
} from './openapi-document.ts';

export function openApiSpec(document: OpenApi, file: string): Spec {
  const { title, version } = document.info;
  return {
    source: `${title} ${version} (OpenAPI, ${file})`,
    check: async (exchanges) => exchanges.map((exchange) => verdictOn(exchange, document)),
  };
}

function verdictOn(exchange: Exchange, document: OpenApi): Verdict {
  const { method, path, query, request, answer } = exchange;
  const found = findOperation(document, method, path);
  if (!found) {
    const problems = [`${method} ${path} is not in the document.`];
    return { exchange, covers: { request: true, answer: false }, problems };
  }
  const resolve: Resolve = (ref) => lookUp<Schema>(document, ref);
  const { operation, parameters } = found;
  const sent = operation.requestBody && resolved(document, operation.requestBody);
  const expected = answer && responseFor(operation, answer.status, document);
  const problems = [
    ...queryProblems(query, parameters, resolve).map((problem) => `request: ${problem}`),
    ...requestProblems(request, sent, resolve).map((problem) => `request: ${problem}`),
    ...(answer && expected ? bodyProblems(answer, expected, resolve) : []).map((problem) => `answer: ${problem}`),
  ];
  return { exchange, covers: { request: true, answer: Boolean(expected) }, problems };
}

function queryProblems(query: URLSearchParams, parameters: readonly Parameter[], resolve: Resolve): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const missing = known
    .filter(({ name, required }) => required && !query.has(name) && !query.has(`${name}[]`))
    .map(({ name }) => `the parameter "${name}" is missing`);
  const wrong = [...new Set(query.keys())].flatMap((name) => {
    const parameter = known.find((one) => one.name === name || `${one.name}[]` === name);
    if (!parameter) return [`the parameter "${name}" is unknown`];
    const { schema = {} } = parameter;
    return schemaProblems(queryValue(query.getAll(name), schema, resolve), schema, resolve, `?${name}`);
  });
  return [...missing, ...wrong];
}

function requestProblems(request: Message, expected: Body | undefined, resolve: Resolve): string[] {
  const isEmpty = request.body === null || (isObject(request.body) && Object.keys(request.body).length === 0);
  if (isEmpty) return expected?.required ? ['the body is missing'] : [];
  return expected ? bodyProblems(request, expected, resolve) : ['the document has no body'];
}

function bodyProblems({ headers, body }: Message, { content = {} }: Body, resolve: Resolve): string[] {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const types = Object.keys(content);
  if (types.length === 0) return [];
  const schema = (content[type] ?? (type.includes('json') ? content['application/json'] : undefined))?.schema;
  if (!schema) return body === null ? [] : [`the type "${type}" is not one of ${types.join(', ')}`];
  return schemaProblems(type.includes('form') ? formValue(body, schema, resolve) : body, schema, resolve);
}

function responseFor({ responses = {} }: Operation, status: number, document: OpenApi): Body | null {
  const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
  return found ? resolved(document, found) : null;
}

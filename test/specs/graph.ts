import type { Json } from '../../src/foundation/lib/json.ts';
import { type Exchange, isObject, type JsonObject } from './exchange.ts';
import { fieldNames, listedBy, nodeClasses } from './graph-nodes.ts';
import { notCovered, type Spec, type Verdict } from './spec.ts';

/** A kind of object in Meta's graph. */
export interface GraphNode {
  /** The types of its fields by name. Null: the type is unknown. */
  readonly fields: ReadonlyMap<string, string | null>;
  /** The calls on it. The call on the node itself has no name. */
  readonly calls: readonly GraphCall[];
}
export interface GraphCall {
  readonly method: string;
  readonly edge: string;
  readonly returns: string | null;
  /** Null: unknown. */
  readonly parameters: ReadonlyMap<string, { readonly type: string; readonly required: boolean }> | null;
}
/** Null if there is no such kind. */
export type Graph = (kind: string) => GraphNode | null;

/** Sent with every call. */
const common = new Set(['access_token', 'fields', 'limit', 'after', 'before', 'appsecret_proof', 'locale']);

export function graphSpec(graph: Graph, source: string, limits?: string): Spec {
  return {
    source,
    ...(limits !== undefined && { limits }),
    async check(exchanges) {
      const classes = nodeClasses(exchanges);
      return exchanges.map((exchange) => verdictOn(exchange, classes, graph));
    },
  };
}

function verdictOn(exchange: Exchange, classes: ReadonlyMap<string, string>, graph: Graph): Verdict {
  const { method, path, answer } = exchange;
  const [, , id = '', edge = '', ...rest] = path.split('/');
  const kind = rest.length > 0 ? undefined : classes.get(id);
  // Login and tokens are described only in the documentation.
  if (!/^\/v\d+\.\d+\//.test(path) || path.includes('oauth') || id === 'debug_token') return notCovered(exchange);
  const covers = { request: true, answer: answer !== null && answer.status < 300 };
  if (kind === undefined)
    return { exchange, covers, problems: [`Nothing is known of the object in ${method} ${path}.`] };
  const node = graph(kind);
  if (!node) return notCovered(exchange);
  const called = node.calls.find((call) => call.method === method && sameName(call.edge, edge));
  // A library has functions for edges; a node itself can always be read.
  if (!called && !(edge === '' && method === 'GET')) {
    return { exchange, covers, problems: [`${method} /${edge} is no call on ${kind}.`] };
  }
  const returned = edge === '' ? node : graph(returnedBy(edge, method, called?.returns ?? null));
  const problems = [
    ...parameterProblems(exchange, called ?? null).map((problem) => `request: ${problem}`),
    ...(returned ? fieldProblems(exchange, returned) : []),
  ];
  // A call that creates something returns little more than its id.
  const answerIsChecked = covers.answer && method === 'GET' && returned !== null;
  return { exchange, covers: { request: true, answer: answerIsChecked }, problems };
}

/** For calls that create something, the specs name the owner, not the new object. */
const returnedBy = (edge: string, method: string, named: string | null) =>
  (method === 'GET' ? (named ?? listedBy(edge, method)) : (listedBy(edge, method) ?? named)) ?? '';

/** The specs write `mediapublish` where the path is `media_publish`. */
const sameName = (one: string, other: string) => one.replaceAll('_', '') === other.replaceAll('_', '');

function parameterProblems({ method, query, request }: Exchange, call: GraphCall | null): string[] {
  if (!call?.parameters) return [];
  const body: JsonObject = isObject(request.body) ? request.body : {};
  const sent: JsonObject = method === 'GET' ? Object.fromEntries(query) : { ...Object.fromEntries(query), ...body };
  const { parameters } = call;
  const missing = [...parameters]
    .filter(([name, { required }]) => required && !(name in sent))
    .map(([name]) => `the parameter "${name}" is missing`);
  const wrong = Object.entries(sent).flatMap(([name, value]) => {
    if (common.has(name)) return [];
    const parameter = parameters.get(name);
    if (!parameter) return [`the parameter "${name}" is unknown`];
    return isWritten(value, parameter.type) ? [] : [`"${name}" is ${JSON.stringify(value)}, not ${parameter.type}`];
  });
  return [...missing, ...wrong];
}

/** Forms and queries have only texts, so a parameter has the type that its text can be parsed as. */
function isWritten(value: Json, type: string): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'bool') return text === 'true' || text === 'false';
  if (/^(unsigned )?int$/.test(type)) return /^-?\d+$/.test(text);
  if (type === 'float') return /^-?\d+(\.\d+)?$/.test(text);
  if (type.startsWith('list<')) return /^\[.*\]$/s.test(text) || !text.startsWith('{');
  return true;
}

function fieldProblems({ query, answer, method }: Exchange, { fields, calls }: GraphNode): string[] {
  const edges = new Set(calls.filter((call) => call.method === 'GET').map(({ edge }) => edge));
  const isKnown = (field: string) =>
    fields.has(field) || edges.has(field) || [...edges].some((edge) => sameName(edge, field));
  const asked = fieldNames(query.get('fields') ?? '')
    .filter((field) => !isKnown(field))
    .map((field) => `request: the field "${field}" is unknown`);
  if (method !== 'GET' || !answer || answer.status >= 300 || !isObject(answer.body)) return asked;
  const items = Array.isArray(answer.body.data) ? answer.body.data.filter(isObject) : [answer.body];
  const answered = items.flatMap((item) =>
    Object.entries(item).flatMap(([field, value]) => {
      if (!isKnown(field)) return [`answer: the field "${field}" is unknown`];
      const type = fields.get(field);
      return type && !hasType(value, type) ? [`answer: "${field}" is ${JSON.stringify(value)}, not ${type}`] : [];
    }),
  );
  return [...asked, ...answered];
}

function hasType(value: Json, type: string): boolean {
  if (type === 'string' || type === 'datetime') return typeof value === 'string';
  if (type === 'bool') return typeof value === 'boolean';
  if (/^(unsigned )?int$/.test(type)) return Number.isInteger(value);
  if (type.startsWith('list<')) return Array.isArray(value) || isObject(value);
  return true;
}

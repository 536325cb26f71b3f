import type { Json } from '../../../src/foundation/lib/json.ts';
import { type Exchange, isObject, type JsonObject } from '../exchange.ts';
import { notCovered, type Spec, type Verdict } from '../spec.ts';
import { type LexiconSchema, type Lexicons, unknownFields } from './lexicon-fields.ts';
import { packageModule, packageVersion } from './package.ts';

const name = '@atproto/api';

interface LexiconPackage {
  readonly lexicons: Lexicons;
  /** The library has a separate class for files. */
  jsonToLex(value: Json): unknown;
}

/** The lexicons, with the validator that Bluesky's own servers use. */
export async function blueskySpec(): Promise<Spec> {
  const library: LexiconPackage = await packageModule(name, 'dist/index.js');
  return { source: packageVersion(name), check: async (exchanges) => exchanges.map((one) => verdictOn(one, library)) };
}

function verdictOn(exchange: Exchange, library: LexiconPackage): Verdict {
  const { method, path, answer } = exchange;
  // The directory of accounts is a separate service.
  if (!path.startsWith('/xrpc/')) return notCovered(exchange);
  const { lexicons } = library;
  const id = path.slice('/xrpc/'.length);
  const covers = { request: true, answer: answer !== null };
  const definition = lexicons.getDef(id);
  if (!definition) return { exchange, covers, problems: [`There is no lexicon ${id}.`] };
  const expected = definition.type === 'query' ? 'GET' : 'POST';
  if (method !== expected) return { exchange, covers, problems: [`${id} is called with ${expected}, not ${method}.`] };
  const problems = [
    ...requestProblems(exchange, id, definition, library),
    ...answerProblems(exchange, id, definition, library),
  ];
  return { exchange, covers, problems };
}

function requestProblems({ query, request }: Exchange, id: string, definition: LexiconSchema, library: LexiconPackage) {
  const { lexicons, jsonToLex } = library;
  const known = definition.parameters?.properties ?? {};
  const parameters = Object.fromEntries(
    [...new Set(query.keys())].map((key): [string, Json] => [key, typed(query.getAll(key), known[key])]),
  );
  const problems = [
    ...refusal(() => lexicons.assertValidXrpcParams(id, parameters)),
    ...Object.keys(parameters)
      .filter((key) => !(key in known))
      .map((key) => `the parameter "${key}" is unknown`),
  ];
  if (definition.input?.schema) {
    problems.push(...refusal(() => lexicons.assertValidXrpcInput(id, jsonToLex(request.body))));
    problems.push(...unknownFields(request.body, definition.input.schema, id, lexicons));
  }
  if (isObject(request.body) && isObject(request.body.record))
    problems.push(...recordProblems(request.body.record, library));
  return problems.map((problem) => `request: ${problem}`);
}

function answerProblems({ answer }: Exchange, id: string, definition: LexiconSchema, library: LexiconPackage) {
  if (!answer) return [];
  const { lexicons, jsonToLex } = library;
  if (answer.status >= 400) return errorProblems(answer.body);
  const schema = definition.output?.schema;
  if (!schema) return [];
  const problems = [
    ...refusal(() => lexicons.assertValidXrpcOutput(id, jsonToLex(answer.body))),
    ...unknownFields(answer.body, schema, id, lexicons),
  ];
  return problems.map((problem) => `answer: ${problem}`);
}

/** A server checks a record against its lexicon before it stores it. */
function recordProblems(record: JsonObject, { lexicons, jsonToLex }: LexiconPackage): string[] {
  const type = String(record.$type);
  const definition = lexicons.getDef(type);
  if (!definition?.record) return [`there is no record ${type}`];
  return [
    ...refusal(() => lexicons.assertValidRecord(type, jsonToLex(record))),
    ...unknownFields(record, definition.record, type, lexicons),
  ];
}

function errorProblems(body: Json): string[] {
  const { error, message, ...rest } = isObject(body) ? body : {};
  const isError = typeof error === 'string' && (message === undefined || typeof message === 'string');
  if (!isError) return ['answer: an error has "error" and "message"'];
  return Object.keys(rest).map((field) => `answer: an error has no "${field}"`);
}

function typed(values: string[], schema: LexiconSchema | undefined): Json {
  const one = (text: string, type: string | undefined) =>
    type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text;
  if (schema?.type === 'array') return values.map((value) => one(value, schema.items?.type));
  return one(values[0] ?? '', schema?.type);
}

function refusal(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [String(error instanceof Error ? error.message : error)];
  }
}

import { type Exchange, isObject } from '../exchange.ts';
import { matchPath } from '../match-path.ts';
import { packageFile, packageVersion } from './package.ts';
import { camelCase, camelCased, queryObject } from './queries.ts';
import { type TypedCall, type TypedValue, typeSpec } from './type-check.ts';

const name = '@xdevplatform/xdk';

/** X's own library, which X generates from its OpenAPI document. Its code has the paths, its types the fields. */
export function xSpec() {
  const operations = operationsIn(packageFile(`${name}/dist/index.js`));
  return typeSpec({
    source: packageVersion(name),
    limits: 'Most fields of answers are optional there, and media are sent in any form.',
    imports: [
      `import type { Client } from '${name}';`,
      // The library's options accept any name, which would hide a wrong one.
      'type Known<P> = { [K in keyof P as string extends K ? never : K]: P[K] };',
      'type Argument<F, I extends number> = F extends (...args: infer A) => unknown ? NonNullable<A[I]> : never;',
      'type Answer<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;',
    ].join(' '),
    typesOf: (exchange) => typesOf(exchange, operations),
  });
}

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The type of the library's function. */
  readonly type: string;
  readonly parameters: readonly string[];
}

/** OAuth follows a separate standard, and is not in the library. */
const outside = new Set(['/2/oauth2/token']);

function typesOf(exchange: Exchange, operations: readonly Operation[]): TypedCall | null {
  const { method, path, answer } = exchange;
  if (outside.has(path)) return null;
  const operation = operations.find((one) => one.method === method && matchPath(one.path, path));
  if (!operation) return { values: [], problems: [`${method} ${path} is not in the library.`] };
  const { type } = operation;
  const isSuccess = answer !== null && answer.status < 300;
  return {
    values: [
      ...requestValues(exchange, operation),
      ...(isSuccess && answer.body !== null
        ? [{ of: 'answer' as const, type: `Answer<${type}>`, value: camelCased(answer.body) }]
        : []),
    ],
  };
}

function requestValues({ query, request }: Exchange, { type, parameters }: Operation): TypedValue[] {
  const values: TypedValue[] = [];
  const place = (parameter: string) => `Argument<${type}, ${parameters.indexOf(parameter)}>`;
  const sent = queryObject(query, (field) => /fields$|^expansions$|^ids$|^exclude$/.test(field));
  if (Object.keys(sent).length > 0) {
    const names = Object.fromEntries(Object.entries(sent).map(([field, value]) => [camelCase(field), value]));
    const own = parameters.filter((parameter) => !['body', 'options'].includes(parameter) && parameter in names);
    const options = parameters.includes('options') ? `Known<${place('options')}>` : '{}';
    const types = [options, ...own.map((parameter) => `{ ${parameter}: ${place(parameter)} }`)];
    values.push({ of: 'request', type: `Query<${types.join(' & ')}>`, value: names });
  }
  const { body } = request;
  const isJson = (request.headers['content-type'] ?? '').includes('json');
  if (isObject(body) && isJson) {
    const expected = parameters.includes('body') ? place('body') : 'never';
    values.push({ of: 'request', type: expected, value: camelCased(body) });
  }
  return values;
}

function operationsIn(code: string): Operation[] {
  const members = new Map(
    [...code.matchAll(/this\.(\w+) = new (\w+Client)\(this\)/g)].map(([, name, type]) => [type, name]),
  );
  const classes = code.split(/\nvar (?=\w+Client = class)/).slice(1);
  const operations = classes.flatMap((text) => {
    const member = members.get(/^\w+/.exec(text)?.[0] ?? '');
    if (member === undefined) return [];
    const functions = text.matchAll(/\n {2}async (\w+)\(([^)]*)\) \{([\s\S]*?)\n {2}\}/g);
    return [...functions].flatMap(([, called = '', parameters = '', body = '']) => {
      const [, path] = /let path = "([^"]+)"/.exec(body) ?? [];
      const [, method] = /client\.request\(\s*"(\w+)"/.exec(body) ?? [];
      if (!path || !method) return [];
      const names = parameters.split(',').map((parameter) => parameter.trim().replace(/ =.*/, ''));
      return [{ method, path, type: `Client['${member}']['${called}']`, parameters: names }];
    });
  });
  // A path with fewer parameters is more specific.
  return operations.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length);
}

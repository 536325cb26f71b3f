import { type Exchange, isObject } from '../exchange.ts';
import { matchPath } from '../match-path.ts';
import { packageFile, packageVersion } from './package.ts';
import { queryObject } from './queries.ts';
import { type TypedCall, typeSpec } from './type-check.ts';

const name = '@googleapis/youtube';

/** Google's own library, generated from the discovery document. Its code has the paths, its types the fields. */
export function youtubeSpec() {
  const operations = operationsIn(packageFile(`${name}/build/v3.js`), packageFile(`${name}/build/v3.d.ts`));
  return typeSpec({
    source: packageVersion(name),
    limits: 'Every field is optional there.',
    imports: `import type { youtube_v3 } from '${name}';`,
    typesOf: (exchange) => typesOf(exchange, operations),
  });
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly uploadPath: string | null;
  readonly required: readonly string[];
  readonly parameters: string;
  readonly answer: string | null;
}

const hosts = new Set(['www.googleapis.com', 'youtube.googleapis.com', 'upload.youtube.com']);

function typesOf(exchange: Exchange, operations: readonly Operation[]): TypedCall | null {
  const { host, method, path, query, request, answer } = exchange;
  // The token and the bytes of a resumable upload follow separate standards.
  if (!hosts.has(host) || !path.includes('/youtube/v3/') || query.has('upload_id')) return null;
  const isUpload = path.startsWith('/upload/') || path.startsWith('/resumable/');
  const operation = operations.find(
    (one) => one.method === method && (isUpload ? one.uploadPath === path : matchPath(one.path, path)),
  );
  if (!operation) return { values: [], problems: [`${method} ${path} is not in the library.`] };
  const isList = (field: string) => field === 'part' || (field === 'id' && method === 'GET');
  const { uploadType, ...sent } = queryObject(query, isList);
  const missing = operation.required.filter((field) => !query.has(field) && !path.includes(`/${field}/`));
  const problems = [
    ...missing.map((field) => `request: the parameter "${field}" is missing.`),
    ...(isUpload && uploadType !== 'resumable' && uploadType !== 'media' ? ['request: "uploadType" is wrong.'] : []),
  ];
  const { parameters } = operation;
  const isJson = isObject(request.body);
  const isSuccess = answer !== null && answer.status < 300;
  return {
    problems,
    values: [
      { of: 'request', type: `Query<Omit<${parameters}, 'requestBody' | 'media' | 'auth'>>`, value: sent },
      ...(isJson
        ? [{ of: 'request' as const, type: `NonNullable<${parameters}['requestBody']>`, value: request.body }]
        : []),
      ...(isSuccess && operation.answer && isObject(answer.body)
        ? [{ of: 'answer' as const, type: operation.answer, value: answer.body }]
        : []),
    ],
  };
}

function operationsIn(code: string, types: string): Operation[] {
  const classes = code.split(/\n {4}class (?=Resource\$)/).slice(1);
  return classes.flatMap((text) => {
    const resource = /^Resource\$(\w+)/.exec(text)?.[1] ?? '';
    const functions = text.matchAll(/\n {8}(\w+)\(paramsOrCallback[\s\S]*?(?=\n {8}\})/g);
    return [...functions].flatMap(([body, called = '']) => {
      const [, path] = /url: \(rootUrl \+\s*'([^']+)'/.exec(body) ?? [];
      const [, method] = /method: '(\w+)'/.exec(body) ?? [];
      if (!path || !method) return [];
      const parameters = `youtube_v3.Params$Resource$${resource}$${capitalized(called)}`;
      const [, uploadPath = null] = /mediaUrl: \(rootUrl \+\s*'([^']+)'/.exec(body) ?? [];
      const [, required = ''] = /requiredParams: \[([^\]]*)\]/.exec(body) ?? [];
      const names = [...required.matchAll(/'(\w+)'/g)].map(([, parameter]) => parameter ?? '');
      return [{ method, path, uploadPath, required: names, parameters, answer: answerOf(types, resource, called) }];
    });
  });
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function answerOf(types: string, resource: string, called: string): string | null {
  const start = types.indexOf(`class Resource$${resource} {`);
  const declared = types.slice(start, types.indexOf('\n    }', start));
  const pattern = new RegExp(
    `\\n {8}${called}\\(params\\?: [^)]*\\): Promise<GaxiosResponseWithHTTP2<(Schema\\$\\w+)>>`,
  );
  const [, schema] = pattern.exec(declared) ?? [];
  return schema ? `youtube_v3.${schema}` : null;
}

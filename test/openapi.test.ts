import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { codeOf, isProblemKey, type ProblemEntry, type ProblemKey, problems } from '../src/errors.ts';
import { apiKeyAccess } from '../src/http/auth.ts';
import { lineOf } from '../src/http/openapi/problems.ts';
import { sessionAccess } from '../src/http/session.ts';
import { resolve } from './support/dereference.ts';
import {
  bodyOf,
  type DescribedService,
  describedService,
  formOf,
  prefix,
  problemLines,
  propertiesOf,
  type Route,
} from './support/described-service.ts';

/** What `npm run check` cannot know from the document alone. The linter checks that it is valid OpenAPI 3.1. */

const file = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
let service: DescribedService;

beforeAll(async () => {
  service = await describedService({});
});
afterAll(() => service.close());

const nameOf = ({ name }: Route) => name;
const isSuccess = (status: string) => status.startsWith('2');
/** The names of the routes for which `test` is false. */
const failing = (test: (route: Route) => boolean, routes = service.routes) =>
  routes.filter((route) => !test(route)).map(nameOf);

describe('the OpenAPI document', () => {
  test('is the committed file', () => {
    expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(service.document)));
  });

  test('is served at /api/v1/openapi.json', async () => {
    const answer = await service.server.inject(`${prefix}/openapi.json`);
    expect([answer.statusCode, answer.json()]).toEqual([200, JSON.parse(file)]);
  });

  test('is smaller than 3,750 bytes per operation', () => {
    const operations = Object.values(service.document.paths).flatMap((path) => Object.keys(path ?? {}));
    expect(Buffer.byteLength(file) / operations.length).toBeLessThan(3_750);
  });

  test('has the version of package.json, and the base path as its server', () => {
    const { openapi, info, servers } = service.document;
    expect([openapi, info.version]).toEqual(['3.1.0', packageJson.version]);
    expect(servers.map(({ url }) => url)).toEqual([prefix]);
  });

  test('has an operation for each route of the API', () => {
    const urls = service.registered.map(({ method, url }) => `${method} ${url.slice(prefix.length)}`);
    expect(urls.length).toBeGreaterThan(60);
    const described = service.routes.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1'));
    expect(described.sort()).toEqual(urls.sort());
  });

  test('refers only to components that exist', () => {
    const references = [...file.matchAll(/"\$ref":\s*"([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(references.length).toBeGreaterThan(500);
    expect(references.filter((reference) => resolve(service.document, reference) === undefined)).toEqual([]);
  });

  test('names its components readably', () => {
    const { schemas = {}, parameters = {}, responses = {} } = service.document.components;
    const names = [schemas, parameters, responses].flatMap(Object.keys);
    expect(names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || name.endsWith('Input'))).toEqual([]);
    const expected = ['PostGroup', 'PlatformPost', 'ThreadPart', 'PublishError', 'FirstComment', 'FirstCommentResult'];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(expected));
    expect(schemas.Problem).toMatchObject({ required: ['error', 'code'], properties: { code: expect.anything() } });
  });

  test('lists the code of every problem', () => {
    const codes = Object.keys(problems).filter(isProblemKey).map(codeOf);
    expect(service.document.components.schemas?.ProblemCode?.enum).toEqual([...new Set(codes)].sort());
  });
});

describe('each operation', () => {
  test('has an operation id that makes a good method name', () => {
    const ids = service.routes.map(({ operation }) => operation.operationId ?? '');
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const verbs = /^(create|update|get|list|delete|validate|test|attach|detach|generate|regenerate|upload|sign|start)/;
    const others =
      /^(complete|prune|reorder|process|follow|rename|revoke|choose|finish|resend|change|request|reset|verify|leave|stream|import|save|set|retry|reschedule|trigger)/;
    expect(ids.filter((id) => !verbs.test(id) && !others.test(id))).toEqual([]);
  });

  test('has a summary of its own, a description and one tag that is described', () => {
    const summaries = service.routes.map(({ operation }) => operation.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
    const tags = service.document.tags.map(({ name }) => name);
    const complete = ({ operation: { summary, description, tags: own = [] } }: Route) =>
      Boolean(summary && description) && own.length === 1 && tags.includes(own[0]!);
    expect(failing(complete)).toEqual([]);
  });

  test('says which credentials it needs', () => {
    const schemes = Object.keys(service.document.components.securitySchemes ?? {});
    expect(schemes).toEqual(['apiKey', 'session', 'accessToken']);
    expect(
      failing(({ operation: { security } }) =>
        Boolean(security?.every((entry) => Object.keys(entry).every((scheme) => schemes.includes(scheme)))),
      ),
    ).toEqual([]);
    const open = service.routes.filter(({ operation }) => operation.security?.length === 0).map(nameOf);
    expect(open).toEqual([
      'POST /auth/signup',
      'POST /auth/signin',
      'POST /auth/signin/two-factor',
      'POST /auth/signout',
      'POST /auth/passkeys/sign-in/options',
      'POST /auth/passkeys/sign-in',
      'POST /auth/password/forgot',
      'POST /auth/password/reset',
      'POST /auth/verify-email',
      'GET /dashboard/settings',
    ]);
  });

  test('describes its parameters', () => {
    const poor = service.routes.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).filter(({ description }) => !description).map((field) => `${name} ${field.name}`),
    );
    expect(poor).toEqual([]);
  });

  test('has one success with a described body, and only a sign-up has two', () => {
    const complete = ({ name, operation }: Route) => {
      const success = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
      const isDescribed = success.every(([, { content }]) => {
        const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? [];
        return type === 'application/json' ? Object.keys(propertiesOf(schema)).length > 0 : schema?.description;
      });
      return isDescribed && success.length === (name === 'POST /auth/signup' ? 2 : 1);
    };
    expect(failing(complete)).toEqual([]);
  });

  test('has an example of its body that its route accepts', () => {
    const wrong = service.routes.flatMap(({ name, operation, options }) => {
      const body = options.schema?.body;
      if (!(body instanceof z.ZodType)) return operation.requestBody ? [`${name} has a body without a shape`] : [];
      const [content] = Object.values(operation.requestBody?.content ?? {});
      if (content?.example === undefined) return [`${name} has no example`];
      const { error } = body.safeParse(content.example);
      return error ? [`${name}: ${error.message}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('has an example of its success, with the fields of the shape and no others', () => {
    const examples = service.routes.flatMap(({ name, operation, options }) =>
      Object.entries(options.schema?.response as Record<string, z.ZodType>).map(([status, shape]) => {
        const [content] = Object.values(operation.responses[status]?.content ?? {});
        return { name, shape, example: content?.example };
      }),
    );
    for (const { name, shape, example } of examples) {
      expect([name, shape.safeParse(example).data]).toEqual([name, example]);
    }
  });
});

describe('the errors of each operation', () => {
  const linesOf = (route: Route, status: string) => problemLines(service.document, route, status);

  test('are those that its route names, those of its credentials and its body, and its failure', () => {
    const missing = service.routes.flatMap((route) => {
      const { name, operation, options } = route;
      const common = 'apiKey' in (operation.security?.[0] ?? {}) ? apiKeyAccess : sessionAccess;
      const keys: ProblemKey[] = [
        ...(options.config?.problems ?? []),
        ...common.problems,
        ...(bodyOf(route) ? bodyProblems : formOf(route) ? formProblems : []),
        options.config?.failure ?? 'internal',
      ];
      return keys
        .filter((key) => !linesOf(route, String(problems[key].status)).includes(lineOf(problems[key])))
        .map((key) => `${name}: ${key}`);
    });
    expect(missing).toEqual([]);
  });

  test('are listed under their own status', () => {
    const statusesOf = (line: string) =>
      Object.values<ProblemEntry>(problems).flatMap((entry) => (lineOf(entry) === line ? [String(entry.status)] : []));
    const wrong = service.routes.flatMap((route) =>
      Object.keys(route.operation.responses)
        .filter((status) => !isSuccess(status))
        .flatMap((status) =>
          linesOf(route, status)
            .filter((line) => !statusesOf(line).includes(status))
            .map((line) => `${route.name} ${status}: ${line}`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('have the shape Problem', () => {
    const raw = Object.values(service.document.paths).flatMap(Object.values);
    const own = raw.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => !isSuccess(status));
    const shared = Object.entries(service.document.components.responses ?? {});
    const wrong = [...own, ...shared].filter(
      ([, response]) => !/"\$ref":"#\/components\/(schemas\/Problem|responses\/\w+)"/.test(JSON.stringify(response)),
    );
    expect(wrong).toEqual([]);
  });

  const bodyProblems = [
    'invalid_json',
    'text_invalid',
    'body_too_large',
    'unsupported_media_type',
  ] as const satisfies ProblemKey[];
  const formProblems = ['form_required', 'form_invalid', 'upload_broken_off'] as const satisfies ProblemKey[];
});

describe('the contract', () => {
  test('the bodies have the fields of the contract', () => {
    const fields = Object.fromEntries(
      service.routes
        .filter((route) => bodyOf(route) ?? formOf(route))
        .map((route) => [route.name, Object.keys(propertiesOf(bodyOf(route) ?? formOf(route)))]),
    );
    const postFields = [
      'content',
      'platforms',
      // An addition: texts of single connections.
      'platformContent',
      'scheduledTime',
      // An addition: another name for a time that is the next posting slot.
      'publishAt',
      'status',
      'publishNow',
      'platformSettings',
      'mediaUrls',
      'firstComment',
      'firstComments',
    ];
    expect(fields).toMatchObject({
      'POST /create-post': postFields,
      // An addition: the version that the edit is based on.
      'PUT /update-post/{postGroupId}': expect.arrayContaining([...postFields, 'version']),
      'POST /validate-post': postFields,
      'POST /workspace/users': ['username', 'displayName'],
      'POST /workspace/users/attach': ['email', 'username', 'userId', 'userAccessToken', 'attachToken'],
      'POST /workspace/users/{userId}/connection-url': ['expiresInDays', 'rotate'],
      'POST /auth/api-keys': ['name', 'scopes', 'expiresAt', 'allowedAddresses'],
      'PATCH /auth/api-keys/{keyId}': ['name', 'scopes', 'expiresAt', 'allowedAddresses'],
      'POST /get-upload-url': ['fileName', 'contentType', 'postGroupId', 'type', 'altText'],
      'POST /attach-media/{postGroupId}': ['file', 'fileName', 'altText'],
      'POST /upload-youtube-thumbnail': ['thumbnail', 'postGroupId'],
      'POST /upload-instagram-cover': ['cover', 'postGroupId'],
      'POST /process-video': ['postGroupId', 'sessionId', 'video'],
    });
    expect(Object.entries(fields).filter(([, names]) => names.length === 0)).toEqual([]);
  });

  test('routes behind a key have the headers of the contract', () => {
    const keyed = service.routes.filter(({ operation }) => 'apiKey' in (operation.security?.[0] ?? {}));
    const headersOf = ({ operation }: Route) =>
      (operation.parameters ?? []).filter((parameter) => parameter.in === 'header').map(({ name }) => name);
    const complete = (route: Route) =>
      ['x-service-user-id', 'x-service-client'].every((name) => headersOf(route).includes(name));
    expect(failing(complete, keyed)).toEqual([]);
    expect(keyed.filter((route) => headersOf(route).includes('idempotency-key')).map(nameOf)).toEqual([
      'POST /create-post',
      'PUT /update-post/{postGroupId}',
      // Additions to the contract.
      'POST /reschedule-posts',
      'POST /retry-post/{postGroupId}',
      'POST /attach-media/{postGroupId}',
    ]);
  });
});

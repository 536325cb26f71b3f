import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { apiKeyAccess } from '../src/features/auth/access/api-key.ts';
import { sessionAccess } from '../src/features/auth/access/session.ts';
import { codeOf, isProblemKey, type ProblemEntry, type ProblemKey, problems } from '../src/foundation/errors/index.ts';
import { webhookEventNames } from '../src/foundation/events/catalogue.ts';
import { type DocumentName, documentFiles, documentNames } from '../src/foundation/http/openapi/parts.ts';
import { lineOf } from '../src/foundation/http/openapi/problems.ts';
import { resolve } from './support/documents/dereference.ts';
import {
  bodyOf,
  type DescribedService,
  describedService,
  formOf,
  type OpenapiDocument,
  prefix,
  problemLines,
  propertiesOf,
  type Route,
} from './support/documents/described-service.ts';

/**
 * Checks that `npm run check` cannot do from the documents alone. The linter checks that they are valid OpenAPI 3.1.
 */

const textOf = (name: DocumentName) => readFileSync(new URL(`../${documentFiles[name]}`, import.meta.url), 'utf8');
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
const takesKey = ({ operation: { security = [] } }: Route) => security.some((entry) => 'apiKey' in entry);

describe('the OpenAPI documents', () => {
  test('each route of the API is in exactly one of them', () => {
    const urls = service.registered.map(({ method, url }) => `${method} ${url.slice(prefix.length)}`);
    expect(urls.length).toBeGreaterThan(100);
    const described = service.routes.map(({ name }) => name.replace(/\{(\w+)\}/g, ':$1'));
    expect(described.sort()).toEqual(urls.sort());
  });

  test('openapi.json has what takes an API key, the other what does not', () => {
    const { api } = service.documents;
    const misplaced = failing((route) => takesKey(route) === (route.document === api));
    expect(misplaced).toEqual([]);
    const contract = ['POST /create-post', 'GET /list-posts', 'POST /webhooks', 'POST /workspace/users'];
    expect(service.routes.filter(({ document }) => document === api).map(nameOf)).toEqual(
      expect.arrayContaining(contract),
    );
  });

  test('openapi.json is smaller than 300 kB', () => {
    expect(Buffer.byteLength(textOf('api'))).toBeLessThan(300_000);
  });

  test('only openapi.json has the webhooks', () => {
    const { api, dashboard } = service.documents;
    expect(Object.keys(api.webhooks ?? {})).toEqual(webhookEventNames);
    expect(dashboard).not.toHaveProperty('webhooks');
  });

  test('list the code of every problem: each those that its routes answer with, and those of no route', () => {
    const codes = Object.keys(problems).filter(isProblemKey).map(codeOf);
    const listed = documentNames.map((name) => codesIn(service.documents[name]));
    expect([...new Set(listed.flat())].sort()).toEqual([...new Set(codes)].sort());
    const [api = [], dashboard = []] = listed;
    for (const code of ['CONTENT_REQUIRED', 'INVALID_API_KEY']) {
      expect([api.includes(code), dashboard.includes(code)]).toEqual([true, false]);
    }
    for (const code of ['PASSKEY_NOT_FOUND', 'WEAK_PASSWORD']) {
      expect([api.includes(code), dashboard.includes(code)]).toEqual([false, true]);
    }
  });
});

const codesIn = ({ components }: OpenapiDocument) => (components.schemas?.ProblemCode?.enum ?? []) as string[];

describe.each(documentNames)('the OpenAPI document %s', (name) => {
  const document = () => service.documents[name];

  test('is the committed file, and is served under its name', () => {
    expect(JSON.parse(textOf(name))).toEqual(document());
  });

  test('has the version of the contract beside that of package.json, and the base path as its server', () => {
    const { openapi, info, servers } = document();
    expect([openapi, info.version, info['x-crier-version']]).toEqual(['3.1.0', '1.0.0', packageJson.version]);
    expect(servers.map(({ url }) => url)).toEqual([prefix]);
  });

  test('refers only to components that exist, and has no others', () => {
    const text = textOf(name);
    const references = [...text.matchAll(/"\$ref":\s*"([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(references.length).toBeGreaterThan(200);
    expect(references.filter((reference) => resolve(document(), reference) === undefined)).toEqual([]);
    const { securitySchemes, ...components } = document().components;
    const all = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((component) => `#/components/${kind}/${component}`),
    );
    expect(all.filter((component) => !references.includes(component))).toEqual([]);
    expect(Object.keys(securitySchemes ?? {})).toEqual([...(name === 'api' ? ['apiKey'] : []), ...sessions]);
  });

  test('names in its texts only responses that it has', () => {
    const { responses = {} } = document().components;
    const named = [...textOf(name).matchAll(/or as in `(\w+)`/g)].map(([, response = '']) => response);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((response) => !(response in responses))).toEqual([]);
  });

  test('names its components readably', () => {
    const { schemas = {}, parameters = {}, responses = {} } = document().components;
    const names = [schemas, parameters, responses].flatMap(Object.keys);
    expect(names.filter((one) => !/^[A-Z][A-Za-z]+$/.test(one) || one.endsWith('Input'))).toEqual([]);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(expectedSchemas[name]));
    expect(schemas.Problem).toMatchObject({ required: ['error', 'code'], properties: { code: expect.anything() } });
  });

  const sessions = ['session', 'accessToken'];
  const expectedSchemas = {
    api: ['PostGroup', 'PlatformPost', 'ThreadPart', 'PublishError', 'FirstComment', 'FirstCommentResult'],
    dashboard: ['SignedIn', 'ApiKey'],
  };
});

describe('each operation', () => {
  test('has an operation id that makes a good method name', () => {
    const ids = service.routes.map(({ operation }) => operation.operationId ?? '');
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const verbs =
      /^(create|update|get|list|delete|validate|test|attach|detach|generate|regenerate|upload|sign|start|stop)/;
    const others =
      /^(complete|prune|reorder|process|follow|rename|revoke|choose|finish|resend|change|request|reset|verify|leave|stream|import|export|keep|save|set|store|retry|reschedule|trigger)/;
    expect(ids.filter((id) => !verbs.test(id) && !others.test(id))).toEqual([]);
  });

  test('has a unique summary, a description and one tag that is described', () => {
    const summaries = service.routes.map(({ operation }) => operation.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
    const complete = ({ operation: { summary, description, tags: own = [] }, document: { tags } }: Route) =>
      Boolean(summary && description) && own.length === 1 && tags.some(({ name }) => name === own[0]);
    expect(failing(complete)).toEqual([]);
  });

  test('says which credentials it needs', () => {
    expect(
      failing(({ operation: { security }, document }) =>
        Boolean(
          security?.every((entry) =>
            Object.keys(entry).every((scheme) => scheme in (document.components.securitySchemes ?? {})),
          ),
        ),
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
  test('are those that its route names, those of its credentials and its body, and its failure', () => {
    const missing = service.routes.flatMap((route) => {
      const { name, options } = route;
      const common = takesKey(route) ? apiKeyAccess : sessionAccess;
      const keys: ProblemKey[] = [
        ...(options.config?.problems ?? []),
        ...common.problems,
        ...(bodyOf(route) ? bodyProblems : formOf(route) ? formProblems : []),
        options.config?.failure ?? 'internal',
      ];
      return keys
        .filter((key) => !problemLines(route, String(problems[key].status)).includes(lineOf(problems[key])))
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
          problemLines(route, status)
            .filter((line) => !statusesOf(line).includes(status))
            .map((line) => `${route.name} ${status}: ${line}`),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('have the shape Problem', () => {
    const documents = Object.values(service.documents);
    const raw = documents.flatMap(({ paths }) => Object.values(paths).flatMap((methods) => Object.values(methods)));
    const own = raw.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => !isSuccess(status));
    const shared = documents.flatMap(({ components }) => Object.entries(components.responses ?? {}));
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
      // An addition: files of single connections.
      'platformMedia',
      'scheduledTime',
      // An addition: another name for a time that is the next posting slot.
      'publishAt',
      'status',
      'publishNow',
      'platformSettings',
      'mediaUrls',
      'firstComment',
      'firstComments',
      // An addition: words to find the post by.
      'labels',
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
      'POST /get-upload-url': ['fileName', 'contentType', 'postGroupId', 'type', 'altText', 'shared'],
      'POST /attach-media/{postGroupId}': ['file', 'fileName', 'altText', 'shared'],
      'POST /upload-youtube-thumbnail': ['thumbnail', 'postGroupId'],
      'POST /upload-instagram-cover': ['cover', 'postGroupId'],
      'POST /process-video': ['postGroupId', 'sessionId', 'video'],
    });
    expect(Object.entries(fields).filter(([, names]) => names.length === 0)).toEqual([]);
  });

  test('routes behind a key have the headers of the contract', () => {
    const keyed = service.routes.filter(takesKey);
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

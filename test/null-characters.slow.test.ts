import type { InjectOptions, RouteOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DescribedService, describedService, prefix } from './support/documents/described-service.ts';
import type { TestUser } from './support/service/service.ts';
import { testPassword } from './support/service/user.ts';

/**
 * PostgreSQL cannot store a null character, so a text with one must be rejected earlier. Tries each parameter of each
 * route as an anonymous client, with an API key and with a session.
 */

let service: DescribedService;
let user: TestUser;
let callers: [string, Record<string, string>][];

beforeAll(async () => {
  service = await describedService({ environment: { RATE_LIMITS: 'off' } });
  user = await service.aUser();
  await service.app.db.updateTable('users').set({ workspace_enabled: true }).where('id', '=', user.id).execute();
  const credentials = { email: 'user1@example.com', password: testPassword };
  const signIn = { method: 'POST', url: '/api/v1/auth/signin', payload: credentials } as const;
  const { accessToken } = (await service.server.inject(signIn)).json();
  callers = [
    ['nobody', {}],
    ['a key', { 'x-service-key': user.apiKey }],
    ['a session', { authorization: `Bearer ${accessToken}` }],
  ];
});
afterAll(() => service.close());

const bad = 'a%00b';
/** Parameters that pages read without a query schema. */
const unlisted = ['client_id', 'redirect_uri', 'response_type', 'state', 'code', 'scope', 'resource', 'error'];

/** The contract requires 500 for every malformed id here. */
const byContract = ({ url }: RouteOptions) => url === '/api/v1/get-post/:postGroupId';

/** The URLs of a route with a null character in one of its parameters. */
function addressesOf({ url, schema }: RouteOptions): string[] {
  const names = [...url.matchAll(/:(\w+)|\*/g)].map(([name]) => name);
  const pathWith = (chosen?: string) =>
    url.replace(/:\w+|\*/g, (name) => (name === chosen ? bad : name === '*' ? 'file' : 'f'.repeat(24)));
  const isPage = !url.startsWith(prefix);
  const known =
    schema?.querystring instanceof z.ZodObject ? Object.keys(schema.querystring.shape) : isPage ? unlisted : [];
  return [
    ...names.map((name) => pathWith(name)),
    ...known.map((name) => `${pathWith()}?${name}=${bad}`),
    `${pathWith()}?${bad}=1`,
  ];
}

describe('a null character in the address', () => {
  test('is never answered with an error of the server, by any route', async () => {
    // OPTIONS is answered before any route sees it, and HEAD works like GET.
    const methods = service.all.flatMap((route) =>
      [route.method]
        .flat()
        .filter((method) => !['OPTIONS', 'HEAD'].includes(method))
        .map((method) => ({ method: method as NonNullable<InjectOptions['method']>, route })),
    );
    expect(methods.length).toBeGreaterThan(150);
    const failed: string[] = [];
    for (const { method, route } of methods) {
      for (const url of addressesOf(route)) {
        for (const [name, headers] of callers) {
          // As a stream, because some responses continue until the client leaves.
          const answer = await service.server.inject({ method, url, headers, payloadAsStream: true });
          answer.stream().destroy();
          if (answer.statusCode === 500 && !byContract(route)) failed.push(`${method} ${url} by ${name}`);
        }
      }
    }
    expect(failed).toEqual([]);
  }, 120_000);

  test('is refused as in a body where it would reach the database', async () => {
    const answer = await service.server.inject('/authorize?client_id=%00');
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'TEXT_INVALID' }]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAccess } from '../src/features/accounts/operator/switches.ts';
import { maxJsonLevels } from '../src/foundation/lib/json.ts';
import { type DescribedService, describedService } from './support/documents/described-service.ts';
import type { TestUser } from './support/service/service.ts';

let service: DescribedService;
let ada: TestUser;
let session: string;

beforeAll(async () => {
  service = await describedService({ environment: { RATE_LIMITS: 'off' } });
  ada = await service.aUser();
  await setAccess(service.app, ada.id, { workspace: true });
  const payload = { email: 'session@example.com', password: 'correct horse battery' };
  session = (await service.server.inject({ method: 'POST', url: '/api/v1/auth/signup', payload })).json().accessToken;
});
afterAll(() => service.close());

/** Routes that do not read JSON: files, and forms with files. */
const withoutJson = /^(PUT \/media|POST \/api\/v1\/(upload-|process-video))/;

test('every route that takes a body refuses JSON that is nested too deep or has too many values', async () => {
  const routes = service.all.flatMap(({ method, url }) =>
    [method].flat().flatMap((name) => (['POST', 'PUT', 'PATCH', 'DELETE'].includes(name) ? [`${name} ${url}`] : [])),
  );
  expect(routes.length).toBeGreaterThan(50);
  const nested = '['.repeat(maxJsonLevels + 1) + ']'.repeat(maxJsonLevels + 1);
  const many = `[${'1,'.repeat(50_000)}1]`;
  const others = [];
  for (const route of routes) {
    const [method, url] = route.split(' ') as ['POST', string];
    for (const payload of [nested, many]) {
      const credentials = [{ 'x-service-key': ada.apiKey }, { authorization: `Bearer ${session}` }];
      const answers = await Promise.all(
        credentials.map((headers) =>
          service.server.inject({
            method,
            url: url.replace(/:\w+/g, 'a'.repeat(24)),
            headers: { ...headers, 'content-type': 'application/json' },
            payload,
          }),
        ),
      );
      const refused = answers.some(({ statusCode, body }) => statusCode === 413 && body.length < 500);
      if (!refused && !withoutJson.test(route)) others.push([route, ...answers.map(({ statusCode }) => statusCode)]);
    }
  }
  expect(others).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const register = (more: object) =>
  service.server.inject({
    method: 'POST',
    url: '/register',
    payload: { redirect_uris: ['http://localhost/callback'], token_endpoint_auth_method: 'none', ...more },
  });

test.each([
  ['a name that turns the text around', 'Cla\u202eude\u2066', 'Claude'],
  ['zero-width characters', 'Cl\u200ba\u200dude\ufeff', 'Claude'],
  ['tags in tags', `${'<'.repeat(200)}${'b>'.repeat(200)}Claude`, 'Claude'],
  ['a long name', '🚀'.repeat(100_000), `${'🚀'.repeat(29)}…`],
  ['no text', 7, 'Unnamed application'],
])('the consent page gets a plain name of at most 60 characters for %s', async (_, name, shown) => {
  const response = await register({ client_name: name });
  expect(response.statusCode).toBe(201);
  expect(response.json().client_name).toBe(shown);
});

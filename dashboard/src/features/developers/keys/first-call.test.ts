import { readFileSync } from 'node:fs';
import type { Scope } from '@crier/client';
import { expect, test } from 'vitest';
import { firstCall, publishCall } from './first-call.ts';
import { scopes } from './scopes.ts';

const openapi = JSON.parse(readFileSync(new URL('../../../../../openapi.json', import.meta.url), 'utf8'));

/** The scopes that the API wants for the shown call. */
function wantedFor(command: string): readonly Scope[] {
  const path = /\/api\/v1(\S+)/.exec(command)![1]!;
  const method = command.includes(' -d ') ? 'post' : 'get';
  return openapi.paths[path][method].security.find((one: object) => 'apiKey' in one).apiKey;
}

test.each(scopes.map(({ value }) => value))(
  'a key with only the scope %s is shown a call that it may make',
  (scope) => {
    expect(wantedFor(firstCall('sk_1', [scope], 'https://crier.example').command)).toEqual([scope]);
  },
);

test('a key that may write is shown how to post, with the key in the header', () => {
  const { command } = firstCall('sk_1', ['read', 'write'], 'https://crier.example');
  expect(command).toMatch(
    /^curl -s https:\/\/crier\.example\/api\/v1\/create-post \\\n {2}-H 'x-service-key: sk_1' \\\n/,
  );
});

test('the call that publishes has the channel’s ID as the API takes it', () => {
  const command = publishCall('sk_1', 'mastodon-1@mastodon.social', 'https://crier.example');
  expect(JSON.parse(/-d '(.+)'$/.exec(command)![1]!)).toEqual({
    content: 'Hello from the API',
    platforms: ['mastodon-1@mastodon.social'],
    publishNow: true,
  });
});

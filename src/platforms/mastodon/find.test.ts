import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { platformClient } from '../kit/http/client.ts';
import type { PublishContext } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { findPost } from './find.ts';

test('a server that lists more statuses than asked for does not decide how many are read', async () => {
  let sources = 0;
  await using server = await serve((request, response) => {
    const isList = request.url?.startsWith('/api/v1/accounts/');
    if (!isList) sources += 1;
    const created_at = new Date().toISOString();
    const list = Array.from({ length: 2000 }, (_, index) => ({ id: `${request.url?.length}-${index}`, created_at }));
    response.end(JSON.stringify(isList ? list : { text: 'Another text' }));
  });
  const client = platformClient(server.access(), 'mastodon', new AbortController().signal);
  const account = {
    id: '7@mastodon.example',
    handle: 'ann',
    displayName: '',
    avatarUrl: null,
    profileUrl: null,
    traits: {},
  };
  const credentials = { instance: 'mastodon.example', accessToken: 'token-1' };
  const ctx = { ...client, account, credentials } as unknown as PublishContext<Credentials>;
  const { posts } = await findPost({ status: 'Hello', visibility: 'public' }, new Date(), ctx);
  expect([posts, sources <= 5 * 80]).toEqual([[], true]);
});

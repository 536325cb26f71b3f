import { expect, test } from 'vitest';
import { serve } from '../../../test/support/servers/local.ts';
import { platformClient } from '../kit/http/client.ts';
import type { PublishContext } from '../kit/index.ts';
import type { Credentials } from './api.ts';
import { findPost } from './find.ts';

/** A search on a server with these statuses, newest first, each with its source. Returns the sources that were read. */
async function search(status: string, listed: { id: string; content?: string; source: string }[]) {
  const sources: string[] = [];
  await using server = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://mastodon.example');
    const id = /statuses\/(.+)\/source$/.exec(pathname)?.[1];
    if (id) sources.push(id);
    const created_at = new Date().toISOString();
    const list = searchParams.has('max_id') ? [] : listed.map(({ source: _, ...one }) => ({ ...one, created_at }));
    response.end(JSON.stringify(id ? { text: listed.find((one) => one.id === id)?.source } : list));
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
  const { posts, inconclusive } = await findPost({ status, visibility: 'public' }, new Date(), ctx);
  return { sources, found: posts.map(({ id }) => id), isConclusive: inconclusive === null };
}

test('a server that lists more statuses than asked for does not decide how many are read', async () => {
  const listed = Array.from({ length: 2000 }, (_, index) => ({ id: String(2000 - index), source: 'Another text' }));
  const { sources, ...result } = await search('Hello', listed);
  expect([sources.length, sources[0], result]).toEqual([40, '1', { found: [], isConclusive: false }]);
});

test('the source of a status that shows other words is not read', async () => {
  const listed = [
    { id: '3', content: '<p>Hello Ann and Bob</p>', source: 'Hello Ann and Bob' },
    { id: '2', content: '<p>Goodbye Ann</p>', source: 'Goodbye Ann' },
    { id: '1', content: '<p>Good morning</p>', source: 'Good morning' },
  ];
  expect(await search('Hello Ann and Bob', listed)).toEqual({ sources: ['3'], found: ['3'], isConclusive: true });
});

test('very long statuses are compared by their source, because their words would keep the CPU busy', async () => {
  const content = '<p>a b</p>'.repeat(25_000);
  const listed = Array.from({ length: 8 }, (_, index) => ({ id: String(8 - index), content, source: 'Another text' }));
  expect((await search('Hello Ann and Bob', listed)).sources).toHaveLength(8);
});

test.for<[title: string, text: string, content: string | undefined]>([
  [
    'markup, a link and a mention',
    '*Hello* @ann@a.example see [our page](https://b.example)',
    '<p><em>Hello</em> <a href="https://a.example/@ann">@ann</a> see <a href="https://b.example">our page</a></p>',
  ],
  ['HTML', '<script> all of this is removed </script> Hello', '<p>Hello</p>'],
  ['a link whose title is removed', '[1]: https://a.example "Now some title" Hello Bob', '<p>Hello<br/>Bob</p>'],
  ['words in other letters', 'Grüße aus Köln', '<p>Gr&uuml;&szlig;e aus K&ouml;ln</p>'],
  ['no words', '🎉🎉', '<p>🎉🎉</p>'],
  ['nothing that is listed', 'Hello Ann', undefined],
])('a status is found although its text had %s', async ([, text, content]) => {
  const listed = [{ id: '1', source: text, ...(content !== undefined && { content }) }];
  expect(await search(text, listed)).toMatchObject({ found: ['1'], isConclusive: true });
});

import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comment } from '../../src/platforms/bluesky/comment.ts';
import { bluesky } from '../../src/platforms/bluesky/index.ts';
import { type PlatformAccess, platformClient } from '../../src/platforms/kit/http/client.ts';
import type { Media, PublishContext } from '../../src/platforms/kit/index.ts';
import { stepRunner, until } from '../../src/platforms/kit/steps.ts';
import { anImage } from '../support/files/media.ts';
import { memorySteps } from '../support/publishing/memory-steps.ts';
import { mediaHost } from '../support/servers/media-host.ts';
import { failureOf } from '../support/stages/platform.ts';
import { ask, type PdsServer, startPds } from './servers/pds.ts';
import { describeServer } from './servers/server.ts';

const { connect, publish } = bluesky;
if (connect.kind !== 'form' || !connect.refresh) throw new Error('Bluesky is connected by a form.');
const { finish, refresh } = connect;

let servers: PdsServer;
let host: Awaited<ReturnType<typeof mediaHost>>;
let ann: Member;
let bob: Member;
await describeServer("Bluesky's PDS", startPds, (pds: PdsServer) => {
  beforeAll(async () => {
    [servers, host] = [pds, await mediaHost()];
    [ann, bob] = [await aMember('ann.test'), await aMember('bob.test')];
  });
  afterAll(() => Promise.all([pds[Symbol.asyncDispose](), host.close()]));

  describe('connecting', () => {
    test('finds the server that holds the account, and names the account', () => {
      const { account, credentials, scopes, expiresAt } = ann.grant;
      expect(account).toMatchObject({ id: credentials.did, handle: 'ann.test', displayName: 'ann.test' });
      expect(credentials).toMatchObject({ pds: servers.pds.replace('http:', 'https:'), appPassword: ann.appPassword });
      expect(scopes).toEqual(['com.atproto.appPass']);
      expect(Number(expiresAt) - Date.now()).toBeGreaterThan(3_600_000);
    });

    test('refuses the password of the account itself', async () => {
      const values = { handle: '@Ann.test', appPassword: ann.password, pds: servers.pds };
      const failure = await failureOf(finish(values, client()));
      expect(failure).toMatchObject({ kind: 'auth', message: expect.stringContaining('the account password') });
    });

    test('says what to do about a wrong app password', async () => {
      const values = { handle: 'ann.test', appPassword: 'aaaa-bbbb-cccc-dddd', pds: servers.pds };
      const failure = await failureOf(finish(values, client()));
      expect(failure).toMatchObject({
        kind: 'auth',
        status: 401,
        reason: expect.stringContaining('Invalid identifier'),
      });
      expect(failure.message).toContain('Create a new app password');
    });

    test('says that a handle is unknown', async () => {
      const values = { handle: 'nobody.test', appPassword: ann.appPassword, pds: servers.pds };
      const failure = await failureOf(finish(values, client()));
      expect(failure).toMatchObject({ kind: 'rejected', message: expect.stringContaining('nobody.test') });
    });
  });

  describe('refreshing', () => {
    test('gives a new session', async () => {
      const { credentials } = await refresh(ann.grant.credentials, client());
      expect(credentials.refreshJwt).not.toBe(ann.grant.credentials.refreshJwt);
      expect(await bluesky.testConnection({ ...aRun(ann), credentials })).toMatchObject({ handle: 'ann.test' });
    });

    test('opens one with the app password when the old one is over', async () => {
      const { credentials } = await refresh(
        { ...ann.grant.credentials, refreshJwt: ann.grant.credentials.accessJwt },
        client(),
      );
      expect(await bluesky.testConnection({ ...aRun(ann), credentials })).toMatchObject({ handle: 'ann.test' });
    });
  });

  describe('a post', () => {
    test('has its links, mentions and hashtags marked', async () => {
      const text = 'Hé 👋 @bob.test see https://example.com/x and #ünïcode tag';
      const remote = await publish(content(text), aRun(ann));
      expect(remote.url).toMatch(/^https:\/\/bsky\.app\/profile\/did:plc:\w+\/post\/\w{13}$/);
      expect(await recordAt(remote.id)).toEqual({
        $type: 'app.bsky.feed.post',
        text,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        facets: [
          facet(9, 18, { $type: 'app.bsky.richtext.facet#mention', did: bob.grant.account.id }),
          facet(23, 44, { $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com/x' }),
          facet(49, 59, { $type: 'app.bsky.richtext.facet#tag', tag: 'ünïcode' }),
        ],
      });
    });

    test('carries pictures, whole and described', async () => {
      const files = [await anImage(), await anImage({ width: 300, height: 500, type: 'png' })];
      const media = files.map((file, index) => host.media({ ...file, altText: `Picture ${index + 1}` }));
      const remote = await publish(content('', media), aRun(ann));
      const { embed } = await recordAt(remote.id);
      expect(embed).toMatchObject({
        $type: 'app.bsky.embed.images',
        images: [
          { alt: 'Picture 1', aspectRatio: { width: 640, height: 480 }, image: { mimeType: 'image/jpeg' } },
          { alt: 'Picture 2', aspectRatio: { width: 300, height: 500 }, image: { mimeType: 'image/png' } },
        ],
      });
      const kept = embed.images.map(({ image }: { image: { ref: { $link: string } } }) => sha256Of(image.ref.$link));
      expect(await Promise.all(kept)).toEqual(files.map(({ sha256 }) => sha256));
    });

    test('that is too long is refused in the words of the network', async () => {
      const failure = await failureOf(publish(content('a'.repeat(301)), aRun(ann)));
      expect(failure).toMatchObject({
        kind: 'rejected',
        status: 400,
        reason: expect.stringContaining('grapheme too big'),
      });
    });

    test('with a token that is none is "auth"', async () => {
      const credentials = { ...ann.grant.credentials, accessJwt: 'made-up' };
      expect(await failureOf(publish(content('Hello'), { ...aRun(ann), credentials }))).toMatchObject({ kind: 'auth' });
    });
  });

  test('a comment names the post and the first of the conversation', async () => {
    const post = await publish(content('The post'), aRun(bob));
    const reply = await comment(post, 'The comment', aRun(ann));
    const second = await comment(reply, 'Its answer', aRun(ann));
    const root = { uri: post.id, cid: expect.any(String) };
    expect((await recordAt(reply.id)).reply).toEqual({ root, parent: root });
    expect((await recordAt(second.id)).reply).toEqual({ root, parent: { uri: reply.id, cid: expect.any(String) } });
  });

  describe('never twice', () => {
    test('a post of which we lost the answer is there once after the next run', async () => {
      const carol = await aMember('carol.test');
      const steps = memorySteps();
      await failureOf(publish(content('Once'), aRun(carol, steps, losingAnswerTo('com.atproto.repo.putRecord'))));
      expect(await postsOf(carol)).toHaveLength(1);
      const remote = await publish(content('Once'), aRun(carol, steps));
      expect(await postsOf(carol)).toEqual([remote.id]);
    });

    test('a post never takes the place of another under the same key', async () => {
      const dave = await aMember('dave.test');
      const steps = memorySteps();
      const other = memorySteps();
      const remote = await publish(content('The first'), aRun(dave, steps));
      const taken = { rkey: remote.id.split('/').at(-1) ?? '', createdAt: new Date().toISOString() };
      const store = other.claim();
      await store.begin('post key', false);
      await store.finish('post key', taken, false);
      const failure = await failureOf(publish(content('The second'), aRun(dave, other)));
      expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('InvalidSwap') });
      expect((await recordAt(remote.id)).text).toBe('The first');
    });
  });
});

type Member = Awaited<ReturnType<typeof aMember>>;

async function aMember(handle: string) {
  const { password, appPassword } = await servers.addUser(handle);
  const [grant] = await finish({ handle, appPassword, pds: servers.pds }, client());
  if (!grant) throw new Error('There is no grant.');
  return { password, appPassword, grant };
}

function access(fetch = globalThis.fetch): PlatformAccess {
  return {
    fetch,
    route: (url) => (url.host === 'plc.directory' ? new URL(url.pathname, servers.directory) : toPds(url)),
    timeoutMs: 10_000,
    now: () => new Date(),
    applications: {},
  };
}

/**
 * The services around the server are not simulated: the server takes their place and responds that it knows nothing.
 */
const toPds = (url: URL) => new URL(url.pathname + url.search, servers.pds);

const client = (fetch?: typeof globalThis.fetch) =>
  platformClient(access(fetch), 'bluesky', new AbortController().signal);

function aRun(
  { grant }: Member,
  steps = memorySteps(),
  fetch?: typeof globalThis.fetch,
): PublishContext<Member['grant']['credentials']> {
  const { account, credentials } = grant;
  return { ...client(fetch), account, credentials, postId: randomUUID(), step: stepRunner(steps.claim()), until };
}

const content = (text: string, media: Media[] = []) => ({ text, media, settings: {}, thumbnail: null });

function losingAnswerTo(name: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (String(input).includes(name)) throw new TypeError('The line is dead.');
    return response;
  };
}

const facet = (byteStart: number, byteEnd: number, feature: object) => ({
  index: { byteStart, byteEnd },
  features: [feature],
});

async function recordAt(uri: string) {
  const [, , repo = '', collection = '', rkey = ''] = uri.split('/');
  return (await ask(servers.pds, `com.atproto.repo.getRecord?${new URLSearchParams({ repo, collection, rkey })}`))
    .value;
}

async function postsOf({ grant }: Member): Promise<string[]> {
  const query = new URLSearchParams({ repo: grant.account.id, collection: 'app.bsky.feed.post' });
  const { records } = await ask(servers.pds, `com.atproto.repo.listRecords?${query}`);
  return records.map(({ uri }: { uri: string }) => uri);
}

async function sha256Of(cid: string): Promise<string> {
  const query = new URLSearchParams({ did: ann.grant.account.id, cid });
  const response = await fetch(`${servers.pds}/xrpc/com.atproto.sync.getBlob?${query}`);
  return createHash('sha256')
    .update(await response.bytes())
    .digest('hex');
}

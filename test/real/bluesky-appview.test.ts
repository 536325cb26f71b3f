import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comment } from '../../src/platforms/bluesky/comment.ts';
import { bluesky } from '../../src/platforms/bluesky/index.ts';
import { stats } from '../../src/platforms/bluesky/stats.ts';
import { type PlatformAccess, platformClient } from '../../src/platforms/kit/http/client.ts';
import type { Media } from '../../src/platforms/kit/index.ts';
import { stepRunner, until } from '../../src/platforms/kit/steps.ts';
import { aVideo } from '../support/files/media.ts';
import { memorySteps } from '../support/publishing/memory-steps.ts';
import { mediaHost } from '../support/servers/media-host.ts';
import { proveTest } from './prove.ts';
import { type BlueskyNetwork, startBlueskyNetwork } from './servers/appview.ts';
import { type Front, openFront } from './servers/front.ts';
import { type LiveCrier, startLiveCrier } from './servers/live-crier.ts';
import { addUser, ask, storedTexts } from './servers/pds.ts';
import { describeServer } from './servers/server.ts';

const { connect, publish } = bluesky;
if (connect.kind !== 'form') throw new Error('Bluesky is connected by a form.');
const { finish } = connect;

const pdsHost = 'pds.test';
const start = () => startBlueskyNetwork(pdsHost);

await describeServer("Bluesky's AppView", start, (network: BlueskyNetwork) => {
  const places: Record<string, string> = {
    [pdsHost]: network.pds,
    'plc.directory': network.directory,
    'public.api.bsky.app': network.appView,
    // The video service is not publicly available. The AppView takes its place and responds that it has no such method.
    'video.bsky.app': network.appView,
  };
  /** Crier talks only to encrypted servers. This maps their URLs to unencrypted ones. */
  const access: PlatformAccess = {
    fetch,
    route: ({ host, pathname, search }) => new URL(pathname + search, places[host]),
    timeoutMs: 10_000,
    now: () => new Date(),
    applications: {},
  };
  let ann: Member;
  let bob: Member;
  let host: Awaited<ReturnType<typeof mediaHost>>;
  let front: Front;
  let crier: LiveCrier;
  beforeAll(async () => {
    [host, front] = [await mediaHost(), await openFront(places)];
    crier = await startLiveCrier(front);
    [ann, bob] = [await aMember('ann.test'), await aMember('bob.test')];
  }, 240_000);
  afterAll(async () => {
    await crier?.[Symbol.asyncDispose]();
    await front?.[Symbol.asyncDispose]();
    await host?.close();
    await network[Symbol.asyncDispose]();
  });

  const client = () => platformClient(access, 'bluesky', new AbortController().signal);
  type Member = Awaited<ReturnType<typeof aMember>>;
  async function aMember(handle: string) {
    const { did, password, appPassword } = await addUser(network.pds, handle);
    const session = { identifier: did, password };
    const { accessJwt } = await ask(network.pds, 'com.atproto.server.createSession', session);
    const [grant] = await finish({ handle, appPassword, pds: pdsHost }, client());
    return { did, accessJwt, grant: grant! };
  }
  const aRun = ({ grant: { account, credentials } }: Member) => ({
    ...client(),
    account,
    credentials,
    postId: randomUUID(),
    step: stepRunner(memorySteps().claim()),
    until,
  });
  const content = (text: string, media: Media[] = []) => ({ text, media, settings: {}, thumbnail: null });

  /** An action of a person in another app. */
  async function act({ did: repo, accessJwt }: Member, collection: string, record: object) {
    const body = { repo, collection, record: { $type: collection, createdAt: new Date().toISOString(), ...record } };
    return ask(network.pds, 'com.atproto.repo.createRecord', body, accessJwt);
  }
  async function subjectOf(uri: string) {
    const [, , repo = '', collection = '', rkey = ''] = uri.split('/');
    const query = new URLSearchParams({ repo, collection, rkey });
    const { cid } = await ask(network.pds, `com.atproto.repo.getRecord?${query}`);
    return { uri, cid };
  }

  test('likes, replies, reposts and quotes of a post are counted', async () => {
    const { id } = await publish(content('Count me'), aRun(ann));
    const subject = await subjectOf(id);
    await act(bob, 'app.bsky.feed.like', { subject });
    await act(ann, 'app.bsky.feed.like', { subject });
    await act(bob, 'app.bsky.feed.repost', { subject });
    const embed = { $type: 'app.bsky.embed.record', record: subject };
    await act(bob, 'app.bsky.feed.post', { text: 'Look', embed });
    await comment({ id, url: null }, 'A reply', aRun(ann));
    await network.indexed();
    expect(await stats.posts([id], client())).toEqual(
      new Map([[id, { reactions: 2, comments: 1, reposts: 1, quotes: 1, saves: 0 }]]),
    );
  });

  test('a post that was deleted is left out', async () => {
    const [kept, gone] = [await publish(content('Kept'), aRun(ann)), await publish(content('Gone'), aRun(ann))];
    const [, , repo, collection, rkey] = gone.id.split('/');
    await ask(network.pds, 'com.atproto.repo.deleteRecord', { repo, collection, rkey }, ann.accessJwt);
    await network.indexed();
    expect([...(await stats.posts([kept.id, gone.id], client())).keys()]).toEqual([kept.id]);
  });

  test('followers, followed accounts and posts of a profile are counted', async () => {
    const carol = await aMember('carol.test');
    await publish(content('My only post'), aRun(carol));
    await act(bob, 'app.bsky.graph.follow', { subject: carol.did });
    await act(carol, 'app.bsky.graph.follow', { subject: ann.did });
    await network.indexed();
    expect(await stats.profile(carol.did, client())).toEqual({ followers: 1, following: 1, posts: 1 });
  });

  test('a person who is mentioned is notified', async () => {
    const dave = await aMember('dave.test');
    const { id } = await publish(content('Hé 👋 @dave.test, look'), aRun(ann));
    await network.indexed();
    const asked = ask(network.pds, 'app.bsky.notification.listNotifications', undefined, dave.accessJwt);
    const { notifications } = await asked;
    expect(notifications).toMatchObject([{ reason: 'mention', uri: id, author: { did: ann.did } }]);
  });

  test('the name and the picture of an account come from the profile', async () => {
    const erin = await aMember('erin.test');
    expect(erin.grant.account).toMatchObject({ handle: 'erin.test', displayName: 'erin.test', avatarUrl: null });
    await ask(
      network.pds,
      'com.atproto.repo.putRecord',
      {
        repo: erin.did,
        collection: 'app.bsky.actor.profile',
        rkey: 'self',
        record: { $type: 'app.bsky.actor.profile', displayName: 'Erin 👋' },
      },
      erin.accessJwt,
    );
    await network.indexed();
    expect(await bluesky.testConnection(aRun(erin))).toMatchObject({ displayName: 'Erin 👋' });
  });

  test('a video is stored on the server of the account, and the AppView shows it in the post', async () => {
    const file = aVideo();
    const { id } = await publish(content('Look', [host.media({ ...file, altText: 'Four seconds' })]), aRun(ann));
    await network.indexed();
    const { posts } = await ask(network.appView, `app.bsky.feed.getPosts?${new URLSearchParams({ uris: id })}`);
    expect(posts).toMatchObject([{ uri: id, embed: { $type: 'app.bsky.embed.video#view', alt: 'Four seconds' } }]);
    const query = new URLSearchParams({ did: ann.did, cid: posts[0].embed.cid });
    const stored = await fetch(`${network.pds}/xrpc/com.atproto.sync.getBlob?${query}`);
    expect([stored.headers.get('content-type'), sha256(await stored.bytes())]).toEqual(['video/mp4', file.sha256]);
  });

  let made = 0;
  proveTest('bluesky', () => ({
    crier,
    async aConnection() {
      made += 1;
      const { handle, appPassword } = await addUser(network.pds, `person${made}.test`);
      const fields = { handle, appPassword, pds: pdsHost };
      const { connected } = await crier.asPerson('POST', '/connect/bluesky', { fields });
      return connected[0].platformId;
    },
    holdDeletion: () => front.hold(({ path }) => path.includes('com.atproto.repo.deleteRecord')),
    storedTexts: () => storedTexts(network.pds),
  }));
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

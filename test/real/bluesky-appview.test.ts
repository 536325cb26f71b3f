import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comment } from '../../src/platforms/bluesky/comment.ts';
import { bluesky } from '../../src/platforms/bluesky/index.ts';
import { stats } from '../../src/platforms/bluesky/stats.ts';
import { type PlatformAccess, platformClient } from '../../src/platforms/kit/client.ts';
import { stepRunner, until } from '../../src/platforms/kit/steps.ts';
import { memorySteps } from '../support/memory-steps.ts';
import { type BlueskyNetwork, startBlueskyNetwork } from './servers/appview.ts';
import { addUser, ask } from './servers/pds.ts';
import { describeServer } from './servers/server.ts';

const { connect, publish } = bluesky;
if (connect.kind !== 'form') throw new Error('Bluesky is connected by a form.');
const { finish } = connect;

await describeServer("Bluesky's AppView", startBlueskyNetwork, (network: BlueskyNetwork) => {
  let ann: Member;
  let bob: Member;
  beforeAll(async () => {
    [ann, bob] = [await aMember('ann.test'), await aMember('bob.test')];
  });
  afterAll(() => network[Symbol.asyncDispose]());

  const client = () => platformClient(accessTo(network), 'bluesky', new AbortController().signal);
  type Member = Awaited<ReturnType<typeof aMember>>;
  async function aMember(handle: string) {
    const { did, password, appPassword } = await addUser(network.pds, handle);
    const session = { identifier: did, password };
    const { accessJwt } = await ask(network.pds, 'com.atproto.server.createSession', session);
    const [grant] = await finish({ handle, appPassword, pds: network.pds }, client());
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
  const content = (text: string) => ({ text, media: [], settings: {}, thumbnail: null });

  /** What a person does in another app. */
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
});

/** Crier talks only to encrypted servers, so their addresses in the directory become such, and lead to those without. */
function accessTo({ pds, directory, appView }: BlueskyNetwork): PlatformAccess {
  const places: Record<string, string> = { 'plc.directory': directory, 'public.api.bsky.app': appView };
  return {
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (!String(input).startsWith(directory)) return answer;
      return new Response((await answer.text()).replaceAll('http://', 'https://'), answer);
    },
    route: ({ host, pathname, search }) => new URL(pathname + search, places[host] ?? pds),
    timeoutMs: 10_000,
    now: () => new Date(),
    applications: {},
  };
}

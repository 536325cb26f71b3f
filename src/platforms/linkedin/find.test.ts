import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { anImage } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf, platformStage, toTheEnd } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { PublishContext } from '../kit/index.ts';
import { stepRunner, until } from '../kit/steps.ts';
import type { Credentials } from './api.ts';
import { linkedin } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(linkedin);
let pages = 0;
const aPage = () => {
  pages += 1;
  return aMember(`company-${pages}`);
};

describe('a post of a company page', () => {
  test('that LinkedIn accepted before the connection was lost is found by the next run', async () => {
    const page = await aPage();
    const run = aPost(page);
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    expect((await failureOf(publish(content('Lost (now) #here'), run()))).mayHaveHappened).toBe(true);
    const remote = await publish(content('Lost (now) #here'), run());
    expect(await postsOf(page)).toMatchObject([{ id: remote.id }]);
  });

  test('that LinkedIn provably does not have is sent by the next run', async () => {
    const page = await aPage();
    const run = aPost(page);
    await publish(content('Another one'), aPost(page)());
    await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
    await failureOf(publish(content('Too early'), run()));
    const remote = await publish(content('Too early'), run());
    expect((await postsOf(page)).map(({ id, text }) => [id === remote.id, text])).toEqual([
      [false, 'Another one'],
      [true, 'Too early'],
    ]);
  });

  test('is recognized by its files', async () => {
    const page = await aPage();
    const [run, otherRun] = [aPost(page), aPost(page)];
    const [ours, other] = [content('', {}, [await anImage()]), content('', {}, [await anImage()])];
    await toTheEnd(() => publish(other, otherRun()));
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    await failureOf(toTheEnd(() => publish(ours, run())));
    const remote = await toTheEnd(() => publish(ours, run()));
    expect((await postsOf(page)).map(({ id }) => id)).toEqual([expect.not.stringMatching(remote.id), remote.id]);
  });

  test('is found below many newer ones', async () => {
    const page = await aPage();
    const run = aPost(page);
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    await failureOf(publish(content('Buried'), run()));
    for (let count = 1; count <= 60; count += 1) await publish(content(`Newer ${count}`), aPost(page)());
    const remote = await publish(content('Buried'), run());
    const posts = await postsOf(page);
    expect(posts).toHaveLength(61);
    expect(posts[0]).toMatchObject({ id: remote.id, text: 'Buried' });
  });
});

/** LinkedIn's ids start with their creation time in milliseconds. */
const urnAt = (ms: number) => `urn:li:share:${BigInt(ms) << 22n}`;

describe('a post of a member, whose posts cannot be read', () => {
  const hello = () => content('Hello');

  test('of text alone is sent again, and LinkedIn names the one that it has', async () => {
    const member = await aMember();
    const run = aPost(member);
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    expect((await failureOf(publish(hello(), run()))).kind).toBe('network');
    const remote = await publish(hello(), run());
    expect((await postsOf(member)).map(({ id }) => id)).toEqual([remote.id]);
  });

  test('of text alone is published by the repeat if the first request never arrived', async () => {
    const member = await aMember();
    const run = aPost(member);
    await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
    await failureOf(publish(hello(), run()));
    const remote = await publish(hello(), run());
    expect((await postsOf(member)).map(({ id }) => id)).toEqual([remote.id]);
  });

  test.each(['expired_token', 'rate_limit'] as const)(
    'is still named by LinkedIn after a repeat was refused for another reason: %s',
    async (kind) => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
      await failureOf(publish(content(`There already: ${kind}`), run()));
      await sandbox().fault({ operation: 'publish', kind, times: 1 });
      await failureOf(publish(content(`There already: ${kind}`), run()));
      const remote = await publish(content(`There already: ${kind}`), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    },
  );

  test('is not sent again after ten minutes: LinkedIn may have forgotten the text', async () => {
    const member = await aMember();
    let now = Date.now() - 11 * 60_000;
    const run = aPost(member, memorySteps({ now: () => new Date(now) }));
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    await failureOf(publish(hello(), run()));
    now = Date.now();
    expect((await failureOf(publish(hello(), run()))).kind).toBe('unknown_outcome');
    expect(await postsOf(member)).toHaveLength(1);
  });

  test('with a file stays in doubt', async () => {
    const member = await aMember();
    const run = aPost(member);
    const post = content('Hello', {}, [await anImage()]);
    await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
    for (let time = 1; time <= 2; time += 1) {
      expect((await failureOf(toTheEnd(() => publish(post, run())))).kind).toBe('unknown_outcome');
    }
    expect(await postsOf(member)).toHaveLength(1);
  });
});

interface Kept {
  createdAt: number;
  commentary: string;
}

/** A fake LinkedIn that cuts the connection of the first post. It has the post, but does not list it yet. */
async function lateListing(kept: Kept | null, list: [status: number, body: object] = [200, { elements: [] }]) {
  const urn = 'urn:li:share:7400000000000000001';
  let creations = 0;
  const server = await serve(async (request, response) => {
    await text(request);
    const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
    if (request.method === 'POST') {
      creations += 1;
      if (creations === 1) return void request.socket.destroy();
      return answer(422, { status: 422, code: 'DUPLICATE_POST', message: `Content is a duplicate of ${urn}` });
    }
    if (request.url?.startsWith('/rest/posts?')) return answer(...list);
    return kept ? answer(200, { id: urn, ...kept }) : answer(404, { message: 'Not found' });
  });
  const steps = memorySteps();
  const account = { id: '555', handle: 'acme', displayName: 'Acme', avatarUrl: null, profileUrl: null, traits: {} };
  const credentials = { accessToken: 'AQX-token', refreshToken: null, organizationId: '555' };
  const run = (): PublishContext<Credentials> => ({
    ...platformClient(server.access(), 'linkedin', new AbortController().signal),
    ...{ account, credentials, postId: 'post-1', step: stepRunner(steps.claim()), until },
  });
  await failureOf(publish(content('Hello'), run()));
  return { urn, run, steps, creations: () => creations, [Symbol.asyncDispose]: server.close };
}

describe('a repeat that LinkedIn refuses as a duplicate', () => {
  test('of what the earlier run sent is that post', async () => {
    await using vendor = await lateListing({ createdAt: Date.now(), commentary: 'Hello' });
    const remote = await publish(content('Hello'), vendor.run());
    expect(remote).toEqual({ id: vendor.urn, url: `https://www.linkedin.com/feed/update/${vendor.urn}/` });
  });

  test('of an older post with the same text is refused', async () => {
    await using vendor = await lateListing({ createdAt: Date.now() - 3_600_000, commentary: 'Hello' });
    expect(await failureOf(publish(content('Hello'), vendor.run()))).toMatchObject({ kind: 'rejected', status: 422 });
  });

  test('of a post that cannot be read stays in doubt', async () => {
    await using vendor = await lateListing(null);
    const failure = await failureOf(publish(content('Hello'), vendor.run()));
    expect(failure).toMatchObject({ kind: 'unavailable', mayHaveHappened: true, reason: vendor.urn });
    expect(vendor.steps.open()).toEqual(['post']);
  });
});

describe('the outcome stays unknown and nothing is sent', () => {
  const newer = Array.from({ length: 50 }, (_, index) => ({ id: `urn:li:share:${index}`, createdAt: Date.now() }));

  test.for<[why: string, list: [number, object]]>([
    ['the posts may not be read', [403, { serviceErrorCode: 100, message: 'Not enough permissions' }]],
    ['there are too many newer posts', [200, { elements: newer }]],
  ])('when %s', async ([, list]) => {
    await using vendor = await lateListing({ createdAt: Date.now(), commentary: 'Hello' }, list);
    expect(await failureOf(publish(content('Hello'), vendor.run()))).toMatchObject({ kind: 'unknown_outcome' });
    expect(vendor.creations()).toBe(1);
  });
});

describe('a post that LinkedIn created without giving its id', () => {
  /** A fake LinkedIn that lists the post, but responds without the header that holds its id. */
  async function withoutId(organizationId: string | null) {
    const urn = urnAt(Date.now());
    let creations = 0;
    const server = await serve(async (request, response) => {
      await text(request);
      if (request.method !== 'POST') {
        const elements = [{ id: urn, createdAt: Date.now(), commentary: 'Hello' }];
        return void response.writeHead(200).end(JSON.stringify({ elements }));
      }
      creations += 1;
      if (creations === 1) return void response.writeHead(201).end();
      const message = `Content is a duplicate of ${urn}`;
      return void response.writeHead(422).end(JSON.stringify({ status: 422, code: 'DUPLICATE_POST', message }));
    });
    const steps = memorySteps();
    const account = { id: 'a', handle: 'ann', displayName: 'Ann', avatarUrl: null, profileUrl: null, traits: {} };
    const credentials = { accessToken: 'AQX-token', refreshToken: null, organizationId };
    const run = (): PublishContext<Credentials> => ({
      ...platformClient(server.access(), 'linkedin', new AbortController().signal),
      ...{ account, credentials, postId: 'post-1', step: stepRunner(steps.claim()), until },
    });
    return { urn, run, creations: () => creations, [Symbol.asyncDispose]: server.close };
  }

  test('is named by LinkedIn when it refuses the repeat of a member, whose posts cannot be read', async () => {
    await using vendor = await withoutId(null);
    const failure = await failureOf(publish(content('Hello'), vendor.run()));
    expect(failure).toMatchObject({ kind: 'unavailable', status: 201, mayHaveHappened: true });
    expect((await publish(content('Hello'), vendor.run())).id).toBe(vendor.urn);
  });

  test('is found by the next run for a company page', async () => {
    await using vendor = await withoutId('555');
    const failure = await failureOf(publish(content('Hello'), vendor.run()));
    expect(failure).toMatchObject({ kind: 'unavailable', status: 201, mayHaveHappened: true });
    expect((await publish(content('Hello'), vendor.run())).id).toBe(vendor.urn);
    expect(vendor.creations()).toBe(1);
  });
});

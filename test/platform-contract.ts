import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { output, ZodObject } from 'zod';
import { stringsIn } from '../src/foundation/lib/redact.ts';
import { textLength } from '../src/foundation/text/length.ts';
import { platformClient, secretsOf } from '../src/platforms/kit/http/client.ts';
import {
  type Account,
  type Connect,
  type OAuthConnect,
  type Platform,
  PlatformError,
  type PostContent,
  type PublishContext,
  partStep,
  type RemotePost,
  type Thread,
} from '../src/platforms/kit/index.ts';
import { consent } from './support/browser/consent.ts';
import { eventually } from './support/eventually.ts';
import { anImage, aVideo, type TestFile } from './support/files/media.ts';
import { Killed, memorySteps } from './support/publishing/memory-steps.ts';
import type { SandboxAccount, SandboxFault, SandboxPost } from './support/servers/sandbox.ts';
import {
  expectNoSecret,
  failureOf,
  type Member,
  platformStage,
  standingClock,
  toTheEnd,
} from './support/stages/platform.ts';

export interface ContractOptions<S extends ZodObject> {
  /** Maps an account of the sandbox to the adapter's names. */
  names(made: SandboxAccount['account']): Pick<Account, 'id' | 'handle'>;
  /** The fields that a user fills in before going to the network. */
  connectFields?: Record<string, unknown>;
  /** The status with which the network rejects a request. Default: 422. */
  refusal?: number;
  /** Media that every post on this network must have; every post of this suite has it. */
  needs?: 'image' | 'video';
  /** The network cannot be asked whether it has a post: an unknown outcome stays unknown. */
  cannotFind?: true;
  /** The same for comments. */
  cannotFindComments?: true;
  /** The network reports another account's post as missing. */
  hidesForeignPosts?: true;
  /** The network itself rejects the same text twice. */
  refusesRepeats?: true;
  /** The network does not say when its rate limit ends. */
  resetUnknown?: true;
  /** The network does not support PKCE. */
  ignoresVerifier?: true;
  /** The most difficult text that the network accepts, where it forbids some of ours. */
  difficultText?: string;
  /** The network shows a post immediately, whatever its files. */
  processesNothing?: true;
  /** The operation that makes a post visible, where `publish` only announces it: the last of its bytes. */
  postedBy?: 'upload';
  /** Non-default settings, and how they appear on the network. */
  settings?: { title: string; settings: Partial<output<S>>; arrives(post: SandboxPost): void }[];
}

/** Long enough for any response of the sandbox, short enough to wait for one that never comes. */
const shortMs = 500;

/** TikTok has a day, every other network a few hours. */
const maxWaitMinutes = 25 * 60;

/**
 * The service's requirements on every network, tested on the sandbox over real HTTP. A capability that the platform
 * lacks has no tests here; behaviour of a single network is tested next to its adapter.
 */
export function testPlatform<S extends ZodObject, C extends ZodObject>(
  platform: Platform<S, C>,
  options: ContractOptions<S>,
): void {
  const { now, skip } = standingClock();
  const { aMember, aPost, newSteps, content: bare, postsOf, sandbox } = platformStage(platform, { now });
  const { images, video } = platform.limits;
  const { refusal = 422, difficultText = anyDifficultText, postedBy = 'publish' } = options;
  const needed: TestFile[] = [];
  beforeAll(async () => {
    if (options.needs === 'image') needed.push(await anImage());
    if (options.needs === 'video') needed.push(aVideo());
  });
  const content = (text: string, settings: Partial<output<S>> = {}, files = needed) => bare(text, settings, files);
  type Run = ReturnType<typeof aPost>;
  const publish = (post: PostContent<output<S>>, run: Run, how?: Parameters<Run>[0]) =>
    toTheEnd(() => platform.publish(post, run(how)), skip);

  describe('limits', () => {
    test('are plain data', async () => {
      const { account } = await aMember();
      for (const limits of [platform.limits, platform.limitsFor?.(account.traits) ?? platform.limits]) {
        expect(JSON.parse(JSON.stringify(limits))).toEqual(limits);
      }
    });

    test('text at the limit is published; one more is over it, and the network refuses it', async () => {
      const member = await aMember();
      const { max, unit } = (platform.limitsFor?.(member.account.traits) ?? platform.limits).text;
      const longest = 'a'.repeat(max);
      expect(textLength(longest, unit)).toBe(max);
      await publish(content(longest), aPost(member));
      expect(await postsOf(member)).toMatchObject([{ text: longest }]);

      expect(textLength(`${longest}a`, unit)).toBe(max + 1);
      const failure = await failureOf(publish(content(`${longest}a`), aPost(member)));
      expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
      expect(await postsOf(member)).toHaveLength(1);
    });
  });

  describe('publish', () => {
    test('brings the text to the network and gives back its id there', async () => {
      const member = await aMember();
      const remote = await publish(content('Hello'), aPost(member));
      expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Hello', inReplyTo: null }]);
    });

    test('keeps the text byte for byte', async () => {
      const member = await aMember();
      await publish(content(difficultText), aPost(member));
      expect(await postsOf(member)).toMatchObject([{ text: difficultText }]);
    });

    test('gives an address at which people see the post', async () => {
      const remote = await publish(content('Here I am'), aPost(await aMember()));
      const page = await fetch(sandbox().route(new URL(remote.url ?? 'none:')));
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Here I am');
    });

    if (options.refusesRepeats) {
      test('the same words again are refused by the network, and said to be', async () => {
        const member = await aMember();
        await publish(content('Again'), aPost(member));
        const failure = await failureOf(publish(content('Again'), aPost(member)));
        expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
        expect(await postsOf(member)).toHaveLength(1);
      });
    } else {
      test('tells two posts with the same words apart', async () => {
        const member = await aMember();
        const first = await publish(content('Again'), aPost(member));
        const second = await publish(content('Again'), aPost(member));
        expect((await postsOf(member)).map(({ id }) => id)).toEqual([first.id, second.id]);
      });
    }

    test('does nothing more when run again after it has succeeded', async () => {
      const member = await aMember();
      const run = aPost(member);
      const remote = await publish(content('Once'), run);
      expect(await publish(content('Once'), run)).toEqual(remote);
      expect(await postsOf(member)).toHaveLength(1);
    });

    test('stops when its signal aborts, and sends nothing', async () => {
      const member = await aMember();
      const stop = new AbortController();
      await sandbox().fault({ operation: 'publish', kind: 'timeout' });
      const publishing = failureOf(publish(content('Wait'), aPost(member), { signal: stop.signal }));
      await eventually(async () => expect((await sandbox().requests()).at(-1)?.operation).toBe('publish'));
      stop.abort();
      expect((await publishing).kind).toBe(options.cannotFind ? 'unknown_outcome' : 'network');

      const before = (await sandbox().requests()).length;
      expect((await failureOf(publish(content('Wait'), aPost(member), { signal: stop.signal }))).kind).toBe('network');
      expect(await sandbox().requests()).toHaveLength(before);
      expect(await postsOf(member)).toEqual([]);
    });
  });

  describe('settings', () => {
    test('none is required', () => {
      expect(platform.settings.safeParse({}).error).toBeUndefined();
    });

    test.for(options.settings ?? [])('$title', async ({ settings, arrives }) => {
      const member = await aMember();
      await publish(content('With settings', settings), aPost(member));
      const [post] = await postsOf(member);
      arrives(post as SandboxPost);
    });
  });

  describe('never twice', () => {
    if (options.cannotFind) {
      test.for<[title: string, SandboxFault, kept: number]>([
        ['took before it hung up', { kind: 'reset_after' }, 1],
        ['took and answered nonsense', { kind: 'nonsense' }, 1],
        ['never answered', { kind: 'timeout' }, 0],
      ])('a post that the network %s has an unknown outcome for good', async ([, fault, kept]) => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, ...fault });
        for (let time = 1; time <= 2; time += 1) {
          const failure = await failureOf(publish(content('Who knows'), run, { timeoutMs: shortMs }));
          expect(failure).toMatchObject({ kind: 'unknown_outcome', mayHaveHappened: true });
        }
        expect(await postsOf(member)).toHaveLength(kept);
      });
    } else {
      test('a post that the network took before it hung up is found by the next run', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'reset_after' });
        expect((await failureOf(publish(content('Hang up'), run))).mayHaveHappened).toBe(true);
        const remote = await publish(content('Hang up'), run);
        expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Hang up' }]);
      });

      test('a post that the network took and answered with nonsense is found, at the latest by the next run', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'nonsense' });
        const first = await publish(content('What?'), run).catch((failure: PlatformError) => {
          expect(failure.mayHaveHappened).toBe(true);
          return null;
        });
        const remote = first ?? (await publish(content('What?'), run));
        expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'What?' }]);
      });

      test('a post whose connection broke before the network read it is sent by the next run', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'reset_before' });
        await failureOf(publish(content('Too early'), run));
        const remote = await publish(content('Too early'), run);
        expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      });

      test('a post that never got an answer is sent by the next run', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'timeout' });
        const failure = await failureOf(publish(content('Silence'), run, { timeoutMs: shortMs }));
        expect(failure).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
        const remote = await publish(content('Silence'), run);
        expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      });

      test('a post that the network took after we gave up waiting is found by the next run', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'latency', latencyMs: shortMs + 200 });
        expect((await failureOf(publish(content('Late'), run, { timeoutMs: shortMs }))).kind).toBe('timeout');
        await eventually(async () => expect(await postsOf(member)).toHaveLength(1));
        const remote = await publish(content('Late'), run);
        expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      });
    }

    if (!options.cannotFind) {
      /** The request is cut off before it leaves. */
      const cut = async (post: PostContent<output<S>>, run: Run) => {
        await sandbox().fault({ operation: postedBy, kind: 'reset_before' });
        await failureOf(publish(post, run));
        skip(100);
      };
      const same = () => content('Same words');

      test('a post is not taken for an equal one that was published before it', async () => {
        const member = await aMember();
        const first = await publish(same(), aPost(member));
        const run = aPost(member);
        await cut(same(), run);
        await expectSentAgain(member, first, publish(same(), run));
      });

      if (images && postedBy === 'publish') {
        test('a post is not taken for one with the same words and other images', async () => {
          const member = await aMember();
          const withImage = async () => content('Same words', {}, [await anImage()]);
          const first = await publish(await withImage(), aPost(member));
          const run = aPost(member);
          const post = await withImage();
          await cut(post, run);
          const end = await publish(post, run).catch((failure: PlatformError) => failure.kind);
          const atNetwork = (await postsOf(member)).map(({ id }) => id);
          // Some platforms reject the same text even with other images.
          if (typeof end !== 'string') expect(atNetwork).toEqual([first.id, end.id]);
          else expect([end, atNetwork]).toEqual([expect.stringMatching(/rejected|unknown_outcome/), [first.id]]);
        });
      }

      test('a post is not taken for an equal one that was published while it was in doubt', async () => {
        const member = await aMember();
        const run = aPost(member);
        await cut(same(), run);
        const other = await publish(same(), aPost(member));
        await expectSentAgain(member, other, publish(same(), run));
      });

      test('two equal posts, both in doubt and both there, are each found once', async () => {
        const member = await aMember();
        const runs = [aPost(member), aPost(member)];
        for (const run of runs) {
          await sandbox().fault({ operation: postedBy, kind: 'reset_after' });
          await failureOf(publish(same(), run));
        }
        const atNetwork = (await postsOf(member)).map(({ id }) => id);
        const ends = await Promise.all(runs.map((run) => publish(same(), run).catch(() => null)));
        const ids = ends.map((end) => end?.id).filter((id) => id !== undefined);
        expect(ids.toSorted()).toEqual(atNetwork.toSorted());
        expect(atNetwork).toHaveLength(options.refusesRepeats ? 1 : 2);
      });

      test('a post is not taken for an equal one that the account made itself shortly before', async () => {
        const member = await aMember();
        const stranger = await publish(same(), aPost(member, memorySteps({ now: () => new Date(now()) })));
        skip(60);
        const run = aPost(member);
        await cut(same(), run);
        await expectSentAgain(member, stranger, publish(same(), run));
      });

      async function expectSentAgain(member: Member<output<C>>, other: RemotePost, sending: Promise<RemotePost>) {
        if (options.refusesRepeats) {
          expect((await failureOf(sending)).kind).toBe('rejected');
          expect((await postsOf(member)).map(({ id }) => id)).toEqual([other.id]);
        } else {
          const again = await sending;
          expect((await postsOf(member)).map(({ id }) => id)).toEqual([other.id, again.id]);
        }
      }
    }

    test('a post that the network refused may be tried again', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: postedBy, kind: 'rate_limit', retryAfterSeconds: 1 });
      await failureOf(publish(content('Slow down'), run));
      const remote = await publish(content('Slow down'), run);
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });

    if (!options.cannotFind) {
      test('a post is sent again after trouble that lasted', async () => {
        const member = await aMember();
        const run = aPost(member);
        await sandbox().fault({ operation: postedBy, kind: 'status', status: 503, times: 3 });
        for (let time = 1; time <= 3; time += 1) await failureOf(publish(content('Stubborn'), run));
        const remote = await publish(content('Stubborn'), run);
        expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      });
    }
  });

  if (images) {
    describe('images', () => {
      test('arrive whole, in order', async () => {
        const member = await aMember();
        const files = await Promise.all(Array.from({ length: Math.min(3, images.max) }, () => anImage()));
        const remote = await publish(content('Pictures', {}, files), aPost(member));
        expect(await postsOf(member)).toMatchObject([
          { id: remote.id, text: 'Pictures', media: files.map(({ sha256 }) => ({ kind: 'image', sha256 })) },
        ]);
      });

      test('stand in one post, although an upload broke off', async () => {
        const member = await aMember();
        const run = aPost(member);
        const post = content('Picture', {}, [await anImage()]);
        await sandbox().fault({ operation: 'upload', kind: 'reset_after' });
        const first = await publish(post, run).catch(() => null);
        const remote = first ?? (await publish(post, run));
        const posts = await postsOf(member);
        expect(posts.map(({ id, media }) => [id, media.length])).toEqual([[remote.id, 1]]);
      });
    });
  }

  if (video) {
    describe('a video', () => {
      test('arrives whole', async () => {
        const member = await aMember();
        const file = aVideo();
        const remote = await publish(content('Film', {}, [file]), aPost(member));
        expect(await postsOf(member)).toMatchObject([
          { id: remote.id, text: 'Film', media: [{ kind: 'video', sha256: file.sha256 }] },
        ]);
      });

      test('that the network cannot process is refused, and nothing is posted', async () => {
        const member = await aMember();
        await sandbox().fault({ kind: 'processing_failed', operation: 'upload' });
        const failure = await failureOf(publish(content('Broken film', {}, [aVideo()]), aPost(member)));
        expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
        expect(await postsOf(member)).toEqual([]);
      });

      if (!options.processesNothing) {
        test('that the network never finishes processing does not keep its post waiting for ever', async () => {
          const member = await aMember();
          const [run, post] = [aPost(member), content('Endless film', {}, [aVideo()])];
          let minutes = 0;
          // Only our clock goes on.
          const later = () => ({ ...run(), now: () => new Date(now() + minutes * 60_000) });
          const wait = () => {
            minutes += 10;
            if (minutes > maxWaitMinutes) throw new Error('The post still waits.');
          };
          const end = await toTheEnd(() => platform.publish(post, later()), wait).catch((failure: unknown) => {
            if (failure instanceof PlatformError) return failure;
            throw failure;
          });
          expect(minutes).toBeGreaterThan(10);
          if (!(end instanceof PlatformError)) expect(await postsOf(member)).toMatchObject([{ id: end.id }]);
          else if (!end.mayHaveHappened) expect(await postsOf(member)).toEqual([]);
        });
      }
    });
  }

  describe('alt text', () => {
    const { altText } = platform.limits;
    const kinds = [
      ...(images && !platform.limits.videoRequired ? (['image'] as const) : []),
      ...(video ? (['video'] as const) : []),
    ];
    const described = async (kind: (typeof kinds)[number], text: string) => ({
      ...(kind === 'image' ? await anImage() : aVideo()),
      altText: text,
    });
    const arrived = async (member: Member<output<C>>) =>
      (await postsOf(member)).flatMap(({ media }) => media.map((file) => file.altText));

    test.for(kinds)('arrives, or is ignored where the network takes none: %s', async (kind) => {
      const member = await aMember();
      const text = 'Two cats "on" a <sofa> & 100 % 🛋️\nasleep';
      await publish(content('Described', {}, [await described(kind, text)]), aPost(member));
      expect(await arrived(member)).toEqual([altText?.kinds.includes(kind) ? text : undefined]);
    });

    test.for(altText?.kinds ?? [])('arrives whole if it is as long as the limit: %s', async (kind) => {
      const member = await aMember();
      const longest = '🛋'.repeat(Math.min(altText!.max, 2000));
      await publish(content('Described', {}, [await described(kind, longest)]), aPost(member));
      expect(await arrived(member)).toEqual([longest]);
    });

    if (altText && (images?.max ?? 0) > 1) {
      test('belongs to its own image', async () => {
        const member = await aMember();
        const files = [await described('image', 'The first'), await anImage(), await described('image', 'The third')];
        await publish(content('Three', {}, files), aPost(member));
        expect(await arrived(member)).toEqual(['The first', undefined, 'The third']);
      });
    }
  });

  describe('a process that is killed', () => {
    const kinds = [
      ...(images && !platform.limits.videoRequired ? (['images'] as const) : []),
      ...(video ? (['a video'] as const) : []),
    ];
    /** Requests that create something, not those that only read. */
    const made = async () =>
      (await sandbox().requests()).filter(({ operation }) => operation === 'upload' || operation === 'publish').length;

    test.for(kinds)('after any step of a post with %s resumes: nothing is made twice', async (kind) => {
      const plain = kind === 'images' ? [await anImage(), await anImage()].slice(0, images?.max) : [aVideo()];
      const files = plain.map((file, index) => ({ ...file, altText: `File ${index + 1}` }));
      const steps = newSteps();
      const before = await made();
      await publish(content('Undisturbed', {}, files), aPost(await aMember(), steps));
      const wanted = (await made()) - before;
      const total = steps.ended().length;
      expect(total).toBeGreaterThan(0);
      for (let killAfter = 1; killAfter <= total; killAfter += 1) {
        const member = await aMember();
        const run = aPost(member, newSteps({ killAfter }));
        const start = await made();
        const post = content(`Killed ${killAfter}`, {}, files);
        await expect(publish(post, run)).rejects.toBeInstanceOf(Killed);
        const remote = await publish(post, run);
        expect((await postsOf(member)).map(({ id }) => id)).toEqual([remote.id]);
        expect((await made()) - start).toBe(wanted);
      }
    });
  });

  const { publishThread } = platform;
  if (publishThread) {
    describe('a thread', () => {
      const parts = (files = needed): Thread<output<S>> => [
        content('One (1/3)', {}, files),
        bare('Two (2/3)'),
        bare('Three (3/3)'),
      ];
      const chain = (run: Run) => toTheEnd(() => publishThread.call(platform, parts(), run()), skip);

      test('is a chain in which each part answers the one before', async () => {
        const member = await aMember();
        const remote = await chain(aPost(member));
        expect(await postsOf(member)).toMatchObject([
          { id: remote[0]?.id, text: 'One (1/3)', inReplyTo: null },
          { id: remote[1]?.id, text: 'Two (2/3)', inReplyTo: remote[0]?.id },
          { id: remote[2]?.id, text: 'Three (3/3)', inReplyTo: remote[1]?.id },
        ]);
      });

      test.for([0, 1, 2])('goes on where it broke off: part %i is there once', async (skip) => {
        const member = await aMember();
        const steps = newSteps();
        const run = aPost(member, steps);
        await sandbox().fault({ operation: 'publish', kind: 'reset_after', skip });
        await failureOf(chain(run));
        const remote = await chain(run);
        expect((await postsOf(member)).map(({ id }) => id)).toEqual(remote.map(({ id }) => id));
        expect(steps.ended()).toEqual(expect.arrayContaining([partStep(0), partStep(1), partStep(2)]));
      });
    });
  }

  const { comment } = platform;
  if (comment) {
    const commentOn = (on: RemotePost, text: string, ctx: PublishContext<output<C>>) =>
      comment.call(platform, on, text, ctx);

    describe('comment', () => {
      test('stands under the post, with its own id', async () => {
        const member = await aMember();
        const post = await publish(content('The post'), aPost(member));
        const remote = await commentOn(post, difficultText, aPost(member)());
        expect(remote.id).not.toBe(post.id);
        expect(await postsOf(member)).toMatchObject([
          { id: post.id },
          { id: remote.id, text: difficultText, inReplyTo: post.id },
        ]);
      });

      test('stands there once, although the network hung up on it', async () => {
        const member = await aMember();
        const post = await publish(content('The post'), aPost(member));
        const run = aPost(member);
        await sandbox().fault({ operation: 'comment', kind: 'reset_after' });
        await failureOf(commentOn(post, 'First!', run()));
        if (options.cannotFind || options.cannotFindComments) {
          expect((await failureOf(commentOn(post, 'First!', run()))).kind).toBe('unknown_outcome');
          expect(await postsOf(member)).toMatchObject([{ id: post.id }, { text: 'First!' }]);
        } else {
          const remote = await commentOn(post, 'First!', run());
          expect(await postsOf(member)).toMatchObject([{ id: post.id }, { id: remote.id, text: 'First!' }]);
        }
      });

      if (!options.cannotFind && !options.cannotFindComments) {
        test('is not taken for an equal one under the same post', async () => {
          const member = await aMember();
          const post = await publish(content('The post'), aPost(member));
          const first = await commentOn(post, 'Again', aPost(member)());
          const run = aPost(member);
          await sandbox().fault({ operation: 'comment', kind: 'reset_before' });
          await failureOf(commentOn(post, 'Again', run()));
          skip(100);
          const second = await commentOn(post, 'Again', run()).catch((failure: PlatformError) => failure.kind);
          const atNetwork = (await postsOf(member)).slice(1).map(({ id }) => id);
          if (typeof second !== 'string') expect(atNetwork).toEqual([first.id, second.id]);
          else
            expect([second, atNetwork]).toEqual([options.refusesRepeats ? 'rejected' : 'unknown_outcome', [first.id]]);
        });
      }

      test('on a post that is not there is refused with a reason', async () => {
        const failure = await failureOf(commentOn({ id: '404404', url: null }, 'Hello?', aPost(await aMember())()));
        expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
      });
    });
  }

  const { remove } = platform;
  if (remove) {
    describe('remove', () => {
      const gone = { isGone: true };
      const kept = { isGone: false, why: expect.stringMatching(/\S/) };
      const removeAs = (member: Member<output<C>>, id: string, timeoutMs?: number) =>
        remove.call(platform, id, aPost(member)(timeoutMs === undefined ? {} : { timeoutMs }));
      const aPublishedPost = async (text: string) => {
        const member = await aMember();
        return { member, ...(await publish(content(text), aPost(member))) };
      };

      test('deletes the post, and a post that is gone already counts as deleted', async () => {
        const { member, id } = await aPublishedPost('Not for long');
        const other = await publish(content('Stays'), aPost(member));
        expect(await removeAs(member, id)).toEqual(gone);
        expect(await postsOf(member)).toMatchObject([{ id: other.id }]);
        expect(await removeAs(member, id)).toEqual(gone);
      });

      if (comment) {
        test('deletes a comment and leaves its post', async () => {
          const { member, id, url } = await aPublishedPost('The post');
          const made = await comment.call(platform, { id, url }, 'Not for long', aPost(member)());
          expect(await removeAs(member, made.id ?? '')).toEqual(gone);
          expect(await postsOf(member)).toMatchObject([{ id }]);
          expect(await removeAs(member, made.id ?? '')).toEqual(gone);
        });
      }

      test.for<[title: string, SandboxFault]>([
        ['hung up', { kind: 'reset_after' }],
        ['answered too late', { kind: 'latency', latencyMs: shortMs + 200 }],
      ])('can be repeated after the network %s', async ([, fault]) => {
        const { member, id } = await aPublishedPost('Who knows');
        await sandbox().fault({ operation: 'other', ...fault });
        await failureOf(removeAs(member, id, shortMs));
        await eventually(async () => expect(await postsOf(member)).toEqual([]));
        expect(await removeAs(member, id)).toEqual(gone);
      });

      test('leaves the post of somebody else alone', async () => {
        const { member, id } = await aPublishedPost('Hers');
        const outcome = await removeAs(await aMember(), id).catch((failure: PlatformError) => failure.kind);
        if (typeof outcome === 'string') expect(['auth', 'rejected']).toContain(outcome);
        else expect(outcome).toEqual(options.hidesForeignPosts ? gone : kept);
        expect(await postsOf(member)).toMatchObject([{ id }]);
      });

      test('says why the post stays where the account may not delete it', async () => {
        const { member, id } = await aPublishedPost('For good');
        await sandbox().fault({ operation: 'other', kind: 'status', status: 403 });
        expect(await removeAs(member, id)).toEqual(kept);
        expect(await postsOf(member)).toMatchObject([{ id }]);
      });

      test('does not take trouble of the network for an answer', async () => {
        const { member, id } = await aPublishedPost('Still there');
        await sandbox().fault({ operation: 'other', kind: 'status', status: 503 });
        const failure = await failureOf(removeAs(member, id));
        expect(failure).toMatchObject({ kind: 'unavailable', status: 503 });
        expectNoSecret(failure, member.secrets);
      });
    });
  }

  describe('failures', () => {
    const publishUnder = async (fault: SandboxFault) => {
      const member = await aMember();
      await sandbox().fault({ operation: 'publish', ...fault });
      const failure = await failureOf(publish(content('Trouble'), aPost(member)));
      return { failure, member };
    };

    test('an access token that no longer works is "auth"', async () => {
      const { failure } = await publishUnder({ kind: 'expired_token' });
      expect(failure).toMatchObject({ kind: 'auth', mayHaveHappened: false, reason: expect.stringMatching(/\S/) });
    });

    test('"too many requests" is "rate_limited", with the seconds to wait', async () => {
      const { failure } = await publishUnder({ kind: 'rate_limit', retryAfterSeconds: 90 });
      expect(failure).toMatchObject({ kind: 'rate_limited', mayHaveHappened: false });
      // The Date header has no fractions of a second.
      if (options.resetUnknown) expect(failure.retryAfterSeconds).toBeGreaterThanOrEqual(60);
      else expect([90, 91]).toContain(failure.retryAfterSeconds);
    });

    test.for([500, 502, 503, 504])('a %i is "unavailable", and may have happened', async (status) => {
      const { failure } = await publishUnder({ kind: 'status', status });
      const kind = options.cannotFind ? 'unknown_outcome' : 'unavailable';
      expect(failure).toMatchObject({ kind, status, mayHaveHappened: true });
    });

    test('a refusal is "rejected", with the network\'s own words', async () => {
      const { failure } = await publishUnder({ kind: 'status', status: refusal });
      expect(failure).toMatchObject({ kind: 'rejected', status: refusal, mayHaveHappened: false });
      expect(failure.reason).toMatch(/\S/);
    });

    test.for<[title: string, SandboxFault]>([
      ['an access token that no longer works', { kind: 'expired_token' }],
      ['too many requests', { kind: 'rate_limit' }],
      ['trouble', { kind: 'status', status: 500 }],
      ['a refusal', { kind: 'status', status: refusal }],
      ['a broken connection', { kind: 'reset_before' }],
    ])('no secret shows in the error after %s', async ([, fault]) => {
      const { failure, member } = await publishUnder(fault);
      expect(member.secrets).not.toEqual([]);
      expectNoSecret(failure, member.secrets);
    });
  });

  describe('testConnection', () => {
    test('says who we are', async () => {
      const { account, made } = await aMember();
      expect(account).toMatchObject(options.names(made));
      expect(account.displayName).toBe(made.displayName);
      expect(account.id).not.toMatch(/[\s/?#]/);
      expect(JSON.parse(JSON.stringify(account))).toEqual(account);
    });

    test('fails as "auth" when the access token no longer works', async () => {
      const member = await aMember();
      await sandbox().fault({ kind: 'expired_token', operation: 'account' });
      const failure = await failureOf(platform.testConnection(aPost(member)()));
      expect(failure.kind).toBe('auth');
      expectNoSecret(failure, member.secrets);
    });
  });

  if (isOAuth(platform.connect)) {
    const connect = platform.connect;

    describe('connect by consent', () => {
      const client = () => platformClient(sandbox().access(), platform.id, new AbortController().signal);
      const redirectUri = 'https://crier.example/connect/callback';

      async function leave(decision: 'allow' | 'deny', handle = 'ann') {
        const [state, codeVerifier] = [randomUUID(), `${randomUUID()}${randomUUID()}`];
        const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
        const fields = options.connectFields ?? {};
        const { url, memo } = await connect.start({ redirectUri, state, codeChallenge, fields }, client());
        const back = await consent(sandbox().route(url), { decision, handle });
        expect(back.href.startsWith(redirectUri)).toBe(true);
        expect(back.searchParams.get('state')).toBe(state);
        // The service stores the memo in its database in between.
        const kept = JSON.parse(JSON.stringify(memo ?? null));
        return {
          back,
          callback: { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier, fields, memo: kept },
        };
      }

      test('ends in a grant with which we can publish', async () => {
        const { callback } = await leave('allow', 'ann');
        const [grant] = await connect.finish(callback, client());
        if (!grant) throw new Error('There is no grant.');
        expect(grant.scopes).not.toEqual([]);
        const credentials = platform.credentials.parse(JSON.parse(JSON.stringify(grant.credentials)));
        const { account: made } = await sandbox().account('ann');
        const member = {
          made,
          credentials,
          account: grant.account,
          secrets: secretsOf(platform.credentials, credentials),
        };
        expect(grant.account).toMatchObject(options.names(made));
        const remote = await publish(content('Connected'), aPost(member));
        expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Connected' }]);
      });

      test('grants the account that testConnection names', async () => {
        const { callback } = await leave('allow', 'ben');
        const [grant] = await connect.finish(callback, client());
        if (!grant) throw new Error('There is no grant.');
        const { account, credentials } = grant;
        expect(await platform.testConnection({ ...client(), account, credentials })).toEqual(account);
      });

      test('comes back without a code, and says so, when the person declines', async () => {
        const { back } = await leave('deny');
        expect(back.searchParams.get('code')).toBeNull();
        expect(back.searchParams.get('error')).toMatch(/denied|cancel/);
      });

      const ours = options.ignoresVerifier ? (['code'] as const) : (['code', 'codeVerifier'] as const);
      test.for(ours)('is refused with a reason when the %s is not ours', async (wrong) => {
        const { callback } = await leave('allow', 'carol');
        const failure = await failureOf(connect.finish({ ...callback, [wrong]: 'made-up-by-somebody-else' }, client()));
        expect(failure).toMatchObject({ kind: 'auth', reason: expect.stringMatching(/\S/) });
      });

      test('no secret shows in an error', async () => {
        const { callback } = await leave('allow', 'dan');
        for (const fault of [
          { kind: 'status', status: 500 },
          { kind: 'reset_before' },
          { kind: 'expired_token' },
        ] as const) {
          await sandbox().fault({ operation: 'token', ...fault });
          const failure = await failureOf(connect.finish(callback, client()));
          expectNoSecret(failure, [callback.code, callback.codeVerifier, ...stringsIn(callback.memo)]);
        }
      });
    });
  }

  const { refresh } = platform.connect;
  if (refresh) {
    describe('refresh', () => {
      const renew = (credentials: output<C>) =>
        refresh.call(
          platform.connect,
          credentials,
          platformClient(sandbox().access(), platform.id, new AbortController().signal),
        );

      test('gives credentials that work, and says how long', async () => {
        const member = await aMember();
        const { credentials, expiresAt } = await renew(member.credentials);
        expect(expiresAt === null || expiresAt.getTime() > Date.now()).toBe(true);
        const renewed = { ...member, credentials: platform.credentials.parse(credentials) };
        const remote = await publish(content('Renewed'), aPost(renewed));
        expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
      });

      test.for([500, 503])('trouble (%i) is not taken for a refusal', async (status) => {
        const member = await aMember();
        await sandbox().fault({ operation: 'token', kind: 'status', status });
        expect((await failureOf(renew(member.credentials))).kind).toBe('unavailable');
      });

      test('a refusal is "auth", without a secret in it', async () => {
        const member = await aMember();
        // Twice: some networks have a second way to authenticate, which is rejected too.
        await sandbox().fault({ operation: 'token', kind: 'expired_token', times: 2 });
        const failure = await failureOf(renew(member.credentials));
        expect(failure.kind).toBe('auth');
        expectNoSecret(failure, member.secrets);
      });
    });
  }
}

/**
 * Emoji of several code points, three directions and scripts, composed and decomposed letters, links of three kinds,
 * markup, blank lines.
 */
const anyDifficultText = [
  'Grüße 👩‍👩‍👧‍👦🇺🇳 שלום مرحبا 漢字',
  'e\u0301 is not \u00e9',
  '',
  'https://example.com/a?b=c&d=%20#e <b>&amp;</b> "\'\\ $& %s',
  'www.example.org, example.net/path and http://bücher.example/ä',
].join('\n');

const isOAuth = <C>(connect: Connect<C>): connect is OAuthConnect<C> => connect.kind === 'oauth';

import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { output, ZodObject } from 'zod';
import { stringsIn } from '../src/lib/redact.ts';
import { textLength } from '../src/lib/text-length.ts';
import type {
  Account,
  Connect,
  OAuthConnect,
  Platform,
  PublishContext,
  RemotePost,
} from '../src/platforms/kit/index.ts';
import { reach, secretsOf } from '../src/platforms/kit/reach.ts';
import { consent } from './support/consent.ts';
import { expectNoSecret, failureOf, platformStage } from './support/platform-stage.ts';
import type { SandboxAccount, SandboxFault, SandboxPost } from './support/sandbox-client.ts';

export interface ContractOptions<S extends ZodObject> {
  /** How the adapter names an account that the sandbox has made. */
  names(made: SandboxAccount['account']): Pick<Account, 'id' | 'handle'>;
  /** What a person fills in before leaving for the network. */
  connectFields?: Record<string, unknown>;
  /** The status with which the network refuses what it does not like; 422 unless told. */
  refusal?: number;
  /** Settings other than the defaults, and how they show at the network. */
  settings?: { title: string; settings: Partial<output<S>>; arrives(post: SandboxPost): void }[];
}

/** Long enough for any answer of the sandbox, short enough to wait for one that never comes. */
const shortMs = 500;

/**
 * What the service relies on in every network, tried on the sandbox over real HTTP. A capability that the platform leaves
 * out has no tests here; what only one network does is tested beside its adapter.
 */
export function testPlatform<S extends ZodObject, C extends ZodObject>(
  platform: Platform<S, C>,
  options: ContractOptions<S>,
): void {
  const { aMember, aPost, content, postsOf, sandbox } = platformStage(platform);
  const { refusal = 422 } = options;

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
      await platform.publish(content(longest), aPost(member)());
      expect(await postsOf(member)).toMatchObject([{ text: longest }]);

      expect(textLength(`${longest}a`, unit)).toBe(max + 1);
      const failure = await failureOf(platform.publish(content(`${longest}a`), aPost(member)()));
      expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
      expect(await postsOf(member)).toHaveLength(1);
    });
  });

  describe('publish', () => {
    test('brings the text to the network and gives back its id there', async () => {
      const member = await aMember();
      const remote = await platform.publish(content('Hello'), aPost(member)());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Hello', inReplyTo: null }]);
    });

    test('keeps the text byte for byte', async () => {
      const member = await aMember();
      await platform.publish(content(difficultText), aPost(member)());
      expect(await postsOf(member)).toMatchObject([{ text: difficultText }]);
    });

    test('gives an address at which people see the post', async () => {
      const remote = await platform.publish(content('Here I am'), aPost(await aMember())());
      const page = await fetch(sandbox().route(new URL(remote.url ?? 'none:')));
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Here I am');
    });

    test('tells two posts with the same words apart', async () => {
      const member = await aMember();
      const first = await platform.publish(content('Again'), aPost(member)());
      const second = await platform.publish(content('Again'), aPost(member)());
      expect((await postsOf(member)).map(({ id }) => id)).toEqual([first.id, second.id]);
    });

    test('does nothing more when run again after it has succeeded', async () => {
      const member = await aMember();
      const run = aPost(member);
      const remote = await platform.publish(content('Once'), run());
      expect(await platform.publish(content('Once'), run())).toEqual(remote);
      expect(await postsOf(member)).toHaveLength(1);
    });

    test('stops when told to, and sends nothing', async () => {
      const member = await aMember();
      const stop = new AbortController();
      await sandbox().fault({ operation: 'publish', kind: 'timeout' });
      const publishing = failureOf(platform.publish(content('Wait'), aPost(member)({ signal: stop.signal })));
      await vi.waitFor(async () => expect((await sandbox().requests()).at(-1)?.operation).toBe('publish'));
      stop.abort();
      expect((await publishing).kind).toBe('network');

      const before = (await sandbox().requests()).length;
      expect((await failureOf(platform.publish(content('Wait'), aPost(member)({ signal: stop.signal })))).kind).toBe(
        'network',
      );
      expect(await sandbox().requests()).toHaveLength(before);
      expect(await postsOf(member)).toEqual([]);
    });
  });

  describe('settings', () => {
    test('every one has a default', () => {
      const defaults = platform.settings.parse({});
      expect(Object.keys(defaults).sort()).toEqual(Object.keys(platform.settings.shape).sort());
    });

    test.for(options.settings ?? [])('$title', async ({ settings, arrives }) => {
      const member = await aMember();
      await platform.publish(content('With settings', settings), aPost(member)());
      const [post] = await postsOf(member);
      arrives(post as SandboxPost);
    });
  });

  describe('never twice', () => {
    test('a post that the network took before it hung up is found by the next run', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'reset_after' });
      expect((await failureOf(platform.publish(content('Hang up'), run()))).mayHaveHappened).toBe(true);
      const remote = await platform.publish(content('Hang up'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Hang up' }]);
    });

    test('a post whose connection broke before the network read it is sent by the next run', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'reset_before' });
      await failureOf(platform.publish(content('Too early'), run()));
      const remote = await platform.publish(content('Too early'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });

    test('a post that never got an answer is sent by the next run', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'timeout' });
      const failure = await failureOf(platform.publish(content('Silence'), run({ timeoutMs: shortMs })));
      expect(failure).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
      const remote = await platform.publish(content('Silence'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });

    test('a post that the network took after we gave up waiting is found by the next run', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'latency', latencyMs: shortMs + 200 });
      expect((await failureOf(platform.publish(content('Late'), run({ timeoutMs: shortMs })))).kind).toBe('timeout');
      await vi.waitFor(async () => expect(await postsOf(member)).toHaveLength(1), { timeout: 5000 });
      const remote = await platform.publish(content('Late'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });

    test('a post that the network refused may be tried again', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'rate_limit', retryAfterSeconds: 1 });
      await failureOf(platform.publish(content('Slow down'), run()));
      const remote = await platform.publish(content('Slow down'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });

    test('a post is sent again after trouble that lasted', async () => {
      const member = await aMember();
      const run = aPost(member);
      await sandbox().fault({ operation: 'publish', kind: 'status', status: 503, times: 3 });
      for (let time = 1; time <= 3; time += 1) await failureOf(platform.publish(content('Stubborn'), run()));
      const remote = await platform.publish(content('Stubborn'), run());
      expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
    });
  });

  const { comment } = platform;
  if (comment) {
    const commentOn = (on: RemotePost, text: string, ctx: PublishContext<output<C>>) =>
      comment.call(platform, on, text, ctx);

    describe('comment', () => {
      test('stands under the post, with its own id', async () => {
        const member = await aMember();
        const post = await platform.publish(content('The post'), aPost(member)());
        const remote = await commentOn(post, difficultText, aPost(member)());
        expect(remote.id).not.toBe(post.id);
        expect(await postsOf(member)).toMatchObject([
          { id: post.id },
          { id: remote.id, text: difficultText, inReplyTo: post.id },
        ]);
      });

      test('stands there once, although the network hung up on it', async () => {
        const member = await aMember();
        const post = await platform.publish(content('The post'), aPost(member)());
        const run = aPost(member);
        await sandbox().fault({ operation: 'comment', kind: 'reset_after' });
        await failureOf(commentOn(post, 'First!', run()));
        const remote = await commentOn(post, 'First!', run());
        expect(await postsOf(member)).toMatchObject([{ id: post.id }, { id: remote.id, text: 'First!' }]);
      });

      test('on a post that is not there is refused with a reason', async () => {
        const failure = await failureOf(commentOn({ id: '404404', url: null }, 'Hello?', aPost(await aMember())()));
        expect(failure).toMatchObject({ kind: 'rejected', reason: expect.stringMatching(/\S/) });
      });
    });
  }

  describe('failures', () => {
    const publishUnder = async (fault: SandboxFault) => {
      const member = await aMember();
      await sandbox().fault({ operation: 'publish', ...fault });
      const failure = await failureOf(platform.publish(content('Trouble'), aPost(member)()));
      return { failure, member };
    };

    test('an access token that no longer works is "auth"', async () => {
      const { failure } = await publishUnder({ kind: 'expired_token' });
      expect(failure).toMatchObject({ kind: 'auth', mayHaveHappened: false, reason: expect.stringMatching(/\S/) });
    });

    test('"too many requests" is "rate_limited", with the seconds to wait', async () => {
      const { failure } = await publishUnder({ kind: 'rate_limit', retryAfterSeconds: 90 });
      expect(failure).toMatchObject({ kind: 'rate_limited', mayHaveHappened: false });
      // The Date header knows no parts of a second.
      expect([90, 91]).toContain(failure.retryAfterSeconds);
    });

    test.for([500, 502, 503, 504])('a %i is "unavailable", and may have happened', async (status) => {
      const { failure } = await publishUnder({ kind: 'status', status });
      expect(failure).toMatchObject({ kind: 'unavailable', status, mayHaveHappened: true });
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
      const world = () => reach(sandbox().access(), new AbortController().signal);
      const redirectUri = 'https://crier.example/connect/callback';

      async function leave(decision: 'allow' | 'deny', handle = 'ann') {
        const [state, codeVerifier] = [randomUUID(), `${randomUUID()}${randomUUID()}`];
        const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
        const fields = options.connectFields ?? {};
        const { url, memo } = await connect.start({ redirectUri, state, codeChallenge, fields }, world());
        const back = await consent(sandbox().route(url), { decision, handle });
        expect(back.href.startsWith(redirectUri)).toBe(true);
        expect(back.searchParams.get('state')).toBe(state);
        // The service keeps the memo in its database meanwhile.
        const kept = JSON.parse(JSON.stringify(memo ?? null));
        return {
          back,
          callback: { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier, fields, memo: kept },
        };
      }

      test('ends in a grant with which we can publish', async () => {
        const { callback } = await leave('allow', 'ann');
        const [grant] = await connect.finish(callback, world());
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
        const remote = await platform.publish(content('Connected'), aPost(member)());
        expect(await postsOf(member)).toMatchObject([{ id: remote.id, text: 'Connected' }]);
      });

      test('grants the account that testConnection names', async () => {
        const { callback } = await leave('allow', 'ben');
        const [grant] = await connect.finish(callback, world());
        if (!grant) throw new Error('There is no grant.');
        const { account, credentials } = grant;
        expect(await platform.testConnection({ ...world(), account, credentials })).toEqual(account);
      });

      test('comes back without a code, and says so, when the person declines', async () => {
        const { back } = await leave('deny');
        expect(back.searchParams.get('code')).toBeNull();
        expect(back.searchParams.get('error')).toMatch(/denied|cancel/);
      });

      test.for(['code', 'codeVerifier'] as const)('is refused with a reason when the %s is not ours', async (wrong) => {
        const { callback } = await leave('allow', 'carol');
        const failure = await failureOf(connect.finish({ ...callback, [wrong]: 'made-up-by-somebody-else' }, world()));
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
          const failure = await failureOf(connect.finish(callback, world()));
          expectNoSecret(failure, [callback.code, callback.codeVerifier, ...stringsIn(callback.memo)]);
        }
      });
    });
  }
}

/** Emoji of several code points, three directions and scripts, composed and decomposed letters, a link, markup, blank lines. */
const difficultText = [
  'Grüße 👩‍👩‍👧‍👦🇺🇳 שלום مرحبا 漢字',
  'e\u0301 is not \u00e9',
  '',
  'https://example.com/a?b=c&d=%20#e <b>&amp;</b> "\'\\ $& %s',
].join('\n');

const isOAuth = <C>(connect: Connect<C>): connect is OAuthConnect<C> => connect.kind === 'oauth';

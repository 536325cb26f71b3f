import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Front, SeenRequest, Trouble } from './servers/front.ts';
import type { LiveCrier } from './servers/live-crier.ts';

/** A real network behind a proxy that can fail, and a real Crier that publishes to it. */
export interface OnceStage {
  readonly crier: LiveCrier;
  readonly front: Front;
  /** Connects a new account and returns the id of the connection. */
  aConnection(): Promise<string>;
  /** Whether a request publishes a post. */
  publishes(request: SeenRequest): boolean;
  /** The texts of all posts stored on the server itself. */
  storedTexts(): Promise<string[]>;
  /** Suspends the server's process at any point. */
  freeze(): void;
  thaw(): void;
}

/** Crier waits a minute for a response, and retries nothing until half a minute after that. */
const requestSeconds = 60;
const settleMs = 400_000;
const timeout = settleMs + 60_000;

/**
 * Must hold on every network, whatever fails: a post that Crier reports as published exists exactly once, and nothing
 * exists that Crier does not know about. The copies are counted on the server. Everything happens in real time.
 */
export function testOnce(stage: () => OnceStage) {
  let made = 0;
  /** A post with a unique text. */
  async function aPost(about: string) {
    made += 1;
    const [connection, text] = [await stage().aConnection(), `${about}, number ${made}.`];
    const carriesIt = (request: SeenRequest) => stage().publishes(request) && request.body.includes(text);
    return { text, carriesIt, publish: () => publish(connection, text) };
  }
  async function publish(connection: string, content: string): Promise<string> {
    const post = { content, platforms: [connection], publishNow: true };
    return (await stage().crier.call('POST', '/create-post', post)).postGroupId;
  }
  const outcomeOf = async (postGroupId: string): Promise<{ status: string; postedId: string | null }> =>
    (await stage().crier.settled(postGroupId, settleMs))[0];
  const copiesOf = async (text: string) => (await stage().storedTexts()).filter((stored) => stored === text).length;

  describe.concurrent('a post is there once', { timeout }, () => {
    test.each<Trouble>(['answer lost', 'request lost', 'request cut'])('after this trouble: %s', async (trouble) => {
      const post = await aPost(`The ${trouble}`);
      stage().front.strike(post.carriesIt, [trouble]);
      expect(await outcomeOf(await post.publish())).toMatchObject({ status: 'published' });
      expect(await copiesOf(post.text)).toBe(1);
    });

    test('for each of many equal texts, while answers and requests are lost', async () => {
      const post = await aPost('The same words');
      stage().front.strike(post.carriesIt, ['answer lost', 'request lost', 'answer lost']);
      const groups = await Promise.all(Array.from({ length: 6 }, post.publish));
      const outcomes = await Promise.all(groups.map(outcomeOf));
      expect(outcomes.filter(({ status }) => status !== 'published')).toEqual([]);
      expect(new Set(outcomes.map(({ postedId }) => postedId)).size).toBe(groups.length);
      expect(await copiesOf(post.text)).toBe(groups.length);
    });
  });

  describe('a post is there once', { timeout }, () => {
    test('after Crier was killed while it waited for the answer', async () => {
      const post = await aPost('Killed while waiting');
      const taken = stage().front.hold(post.carriesIt);
      const group = await post.publish();
      const paused = await taken;
      await stage().crier.kill9();
      paused.release();
      await stage().crier.start();
      expect(await outcomeOf(group)).toMatchObject({ status: 'published' });
      expect(await copiesOf(post.text)).toBe(1);
    });

    test('after its server stood still for longer than Crier waits, and took the request then', async () => {
      const post = await aPost('Frozen');
      stage().freeze();
      const sent = stage().front.seen(post.carriesIt);
      const group = await post.publish();
      await sent;
      await sleep((requestSeconds + 5) * 1000);
      stage().thaw();
      expect(await outcomeOf(group)).toMatchObject({ status: 'published' });
      expect(await copiesOf(post.text)).toBe(1);
    });
  });
}

import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aVideo } from '../../test/support/files/media.ts';
import { memorySteps } from '../../test/support/publishing/memory-steps.ts';
import { failureOf } from '../../test/support/stages/platform.ts';
import type { Json } from '../foundation/lib/json.ts';
import { type PlatformId, platforms } from './index.ts';
import { platformClient } from './kit/http/client.ts';
import type { Platform } from './kit/index.ts';
import { stepRunner, until } from './kit/steps.ts';

const timeoutMs = 150;
let ids = 0;
const page = (post: () => object) =>
  Array.from({ length: 50 }, () => {
    ids += 1;
    return { id: String(ids), ...post() };
  });
const now = () => new Date().toISOString();

/** A network whose list of posts never ends. */
interface Endless {
  credentials: Record<string, Json>;
  /** The request that makes the post visible. */
  creates: RegExp;
  /** The response to any other. */
  answer(call: string): Response;
}

const networks: Partial<Record<PlatformId, Endless>> = {
  mastodon: {
    credentials: { instance: 'mastodon.example', accessToken: 'token-1' },
    creates: /^POST \S+\/statuses$/,
    answer: (call) => Response.json(call.endsWith('/source') ? { text: '' } : page(() => ({ created_at: now() }))),
  },
  facebook: {
    credentials: { accessToken: 'token-1', pageId: '42' },
    creates: /^POST /,
    answer: () =>
      Response.json({
        data: page(() => ({ created_time: now() })),
        paging: { next: 'https://graph.facebook.com', cursors: { after: 'a' } },
      }),
  },
  linkedin: {
    credentials: { accessToken: 'token-1', refreshToken: null, organizationId: '555' },
    creates: /^POST /,
    answer: () => Response.json({ elements: page(() => ({ createdAt: Date.now() })) }),
  },
  twitter: {
    credentials: { accessToken: 'token-1', refreshToken: 'token-2' },
    creates: /^POST /,
    answer: () =>
      Response.json({ data: page(() => ({ text: '', created_at: now() })), meta: { next_token: String(ids) } }),
  },
  youtube: {
    credentials: { accessToken: 'token-1', refreshToken: 'token-2', channelId: 'UC1' },
    creates: /^PUT \S+ bytes \d/,
    answer(call) {
      if (call.startsWith('POST')) return new Response(null, { headers: { location: 'https://www.googleapis.com/1' } });
      if (call.startsWith('PUT')) return new Response(null, { status: 404 });
      const snippet = { title: '', description: '', publishedAt: now() };
      const items = call.includes('/channels')
        ? [{ id: 'UC1', snippet, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }]
        : page(() => ({ snippet, contentDetails: { videoId: String(ids) } }));
      return Response.json({ items, nextPageToken: String(ids) });
    },
  },
};

/** These ask for a post by its name, or read one page. */
const short = ['bluesky', 'instagram', 'threads'];

test('every platform that searches a list of posts is here', () => {
  const searching = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^\w+\/find\.ts$/.test(path))
    .map((path) => path.slice(0, path.indexOf('/')));
  // Instagram and Threads share the folder `graph`.
  expect(searching.toSorted()).toEqual([...Object.keys(networks), ...short, 'graph'].toSorted());
});

describe('a server that prolongs the search for a lost post', () => {
  test.for(Object.entries(networks))(
    'on %s is asked for two timeouts, and the post is not sent again',
    async ([id, network]) => {
      const calls: string[] = [];
      const fetch: typeof globalThis.fetch = async (input, { method, headers, signal } = {}) => {
        const call =
          `${method} ${new URL(String(input)).pathname} ${new Headers(headers).get('content-range') ?? ''}`.trim();
        calls.push(call);
        if (network.creates.test(call)) throw new TypeError('fetch failed');
        await sleep(0.8 * timeoutMs, undefined, { signal: signal ?? undefined });
        return network.answer(call);
      };
      const applications = { [id]: { id: 'app', secret: 'app-secret' } };
      const access = { fetch, route: (url: URL) => url, timeoutMs, now: () => new Date(), applications };
      const platform: Platform = platforms[id as PlatformId];
      const steps = memorySteps();
      const account = { id: '42', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
      const run = () => {
        const client = platformClient(access, id, new AbortController().signal);
        const ctx = { ...client, account, credentials: network.credentials as never };
        return { ...ctx, postId: 'p', step: stepRunner(steps.claim()), until };
      };
      const url = async () => new URL('https://media.example/video');
      const video = { ...aVideo(), blob: async () => new Blob(['video']), url };
      const media = platform.limits.videoRequired ? [video] : [];
      const post = { text: 'Hello', media, settings: platform.settings.parse({}), thumbnail: null };
      await failureOf(platform.publish(post, run()));
      const open = steps.open();
      const lost = calls.length;
      expect(await failureOf(platform.publish(post, run()))).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
      expect(calls.slice(lost).length).toBeLessThanOrEqual(3);
      expect([calls.filter((call) => network.creates.test(call)).length, steps.open()]).toEqual([1, open]);
    },
  );
});

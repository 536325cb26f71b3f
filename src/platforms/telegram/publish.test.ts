import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anImage, aVideo } from '../../../test/support/files/media.ts';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import type { SandboxFault } from '../../../test/support/servers/sandbox.ts';
import { failureOf, platformStage } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import type { FailureKind } from '../kit/index.ts';
import { telegram } from './index.ts';
import { publish } from './publish.ts';

const { sandbox, aMember, aPost, content, postsOf } = platformStage(telegram);

async function methodsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await sandbox().requests()).length;
  await work();
  return (await sandbox().requests()).slice(before).map(({ path }) => path.split('/').at(-1) ?? '');
}

const allSettings = { disableNotification: true, disableWebPagePreview: true, protectContent: true };
const longest = 'a'.repeat(1024);
const image = await anImage();

describe('text', () => {
  test('with markup becomes text and entities', async () => {
    const member = await aMember();
    await publish(content('*Bold* & [here](https://a.example/)\n> said < she'), aPost(member)());
    expect(await postsOf(member)).toMatchObject([
      {
        text: 'Bold & here\nsaid < she',
        request: {
          body: {
            entities: [
              { type: 'bold', offset: 0, length: 4 },
              { type: 'text_link', offset: 7, length: 4, url: 'https://a.example/' },
              { type: 'blockquote', offset: 12, length: 10 },
            ],
          },
        },
      },
    ]);
  });

  test('is counted without its markers', async () => {
    const member = await aMember();
    await publish(content(`*${'a'.repeat(4096)}*`), aPost(member)());
    expect(await postsOf(member)).toMatchObject([{ text: 'a'.repeat(4096) }]);
  });
});

describe('media', () => {
  test('one image is a photo with its caption, including line breaks', async () => {
    const member = await aMember();
    const text = 'One\n\n*two*\nthree "four" 😀';
    const methods = await methodsOf(() => publish(content(text, allSettings, [image]), aPost(member)()));
    expect(methods).toEqual(['sendPhoto']);
    expect(await postsOf(member)).toMatchObject([
      {
        text: 'One\n\ntwo\nthree "four" 😀',
        media: [{ kind: 'image', sha256: image.sha256 }],
        request: {
          body: {
            caption_entities: JSON.stringify([{ offset: 5, length: 3, type: 'bold' }]),
            disable_notification: 'true',
            protect_content: 'true',
            photo: { name: 'file.jpeg', type: 'image/jpeg' },
          },
        },
      },
    ]);
  });

  test('that cannot be opened leaves nothing in doubt', async () => {
    const [member, steps] = [await aMember(), memorySteps()];
    const run = aPost(member, steps);
    const post = content('Look', {}, [image]);
    const closed = {
      ...post,
      media: post.media.map((one) => ({ ...one, blob: () => Promise.reject(new Error('Cannot open.')) })),
    };
    await expect(publish(closed, run())).rejects.toThrow('Cannot open.');
    expect(steps.open()).toEqual([]);
    const remote = await publish(post, run());
    expect(await postsOf(member)).toMatchObject([{ id: remote.id }]);
  });

  test('without text has no caption', async () => {
    const member = await aMember();
    await publish(content('', {}, [image]), aPost(member)());
    const [post] = await postsOf(member);
    expect(post?.request.body).toEqual({ chat_id: member.account.id, photo: expect.anything() });
  });

  test('a GIF is an animation', async () => {
    const member = await aMember();
    const gif = await anImage({ type: 'gif' });
    expect(await methodsOf(() => publish(content('Look', {}, [gif]), aPost(member)()))).toEqual(['sendAnimation']);
    expect(await postsOf(member)).toMatchObject([{ text: 'Look', media: [{ sha256: gif.sha256 }] }]);
  });

  test('a video has its size and duration, and can be streamed', async () => {
    const member = await aMember();
    expect(await methodsOf(() => publish(content('Video', {}, [aVideo()]), aPost(member)()))).toEqual(['sendVideo']);
    const [post] = await postsOf(member);
    expect(post?.request.body).toMatchObject({
      width: '320',
      height: '180',
      duration: '4',
      supports_streaming: 'true',
      video: { name: 'file.mp4', type: 'video/mp4' },
    });
  });

  test('several images are one album with the caption on the first', async () => {
    const member = await aMember();
    const files = [image, await anImage(), await anImage({ type: 'png' })];
    const post = content('_Three_\nimages', allSettings, files);
    expect(await methodsOf(() => publish(post, aPost(member)()))).toEqual(['sendMediaGroup']);
    const [album] = await postsOf(member);
    const body = z.looseObject({ media: z.string() }).parse(album?.request.body);
    expect(JSON.parse(body.media)).toEqual([
      {
        type: 'photo',
        media: 'attach://f0',
        caption: 'Three\nimages',
        caption_entities: [{ type: 'italic', offset: 0, length: 5 }],
      },
      { type: 'photo', media: 'attach://f1' },
      { type: 'photo', media: 'attach://f2' },
    ]);
    expect(body).toMatchObject({ disable_notification: 'true', protect_content: 'true' });
  });

  test("an album's id and address are those of its first message", async () => {
    const member = await aMember();
    const files = [image, await anImage()];
    const album = await publish(content('Album', {}, files), aPost(member)());
    const next = await publish(content('Next'), aPost(member)());
    expect(Number(next.id) - Number(album.id)).toBe(2);
    expect(album.url).toBe(`https://t.me/${member.account.handle}/${album.id}`);
  });
});

describe('a text too long for a caption', () => {
  test('at the limit is still a caption', async () => {
    const member = await aMember();
    await publish(content(`*${longest}*`, {}, [image]), aPost(member)());
    expect(await postsOf(member)).toMatchObject([{ text: longest, media: [{ kind: 'image' }] }]);
  });

  test('beyond the limit is a separate message in reply to the media', async () => {
    const member = await aMember();
    const remote = await publish(content(`${longest}b`, allSettings, [image, await anImage()]), aPost(member)());
    const posts = await postsOf(member);
    expect(posts).toMatchObject([
      { id: remote.id, text: '', media: [{ kind: 'image' }, { kind: 'image' }] },
      { text: `${longest}b`, media: [], inReplyTo: remote.id },
    ]);
    expect(posts[1]?.request.body).toMatchObject({
      disable_notification: true,
      protect_content: true,
      link_preview_options: { is_disabled: true },
    });
  });

  test('is sent by the next run if it was refused, without the media', async () => {
    const member = await aMember();
    const run = aPost(member);
    const post = content(`${longest}b`, {}, [image]);
    await sandbox().fault({ operation: 'comment', kind: 'rate_limit', retryAfterSeconds: 1 });
    expect((await failureOf(publish(post, run()))).kind).toBe('rate_limited');
    const remote = await publish(post, run());
    expect(await postsOf(member)).toMatchObject([{ id: remote.id }, { inReplyTo: remote.id }]);
  });

  test.for<[kind: FailureKind, SandboxFault]>([
    ['rejected', { kind: 'status', status: 400 }],
    ['auth', { kind: 'expired_token' }],
    ['auth', { kind: 'status', status: 403 }],
    ['too_large', { kind: 'status', status: 413 }],
    ['rate_limited', { kind: 'rate_limit', retryAfterSeconds: 90 }],
  ])('and refused (%s) after the files were published says so, and shows them', async ([kind, fault]) => {
    const member = await aMember();
    const steps = memorySteps();
    const post = content(`${longest}b`, {}, [image]);
    await sandbox().fault({ operation: 'comment', ...fault });
    const failure = await failureOf(publish(post, aPost(member, steps)()));
    expect(failure).toMatchObject({ kind, mayHaveHappened: false, reason: expect.stringMatching(/\S/) });
    expect(failure.message).toMatch(/^The files of this post were published .* but the text was not: \S/);
    expect(await postsOf(member)).toMatchObject([{ ...failure.visible, text: '', media: [{ kind: 'image' }] }]);
    expect([steps.ended(), steps.open()]).toEqual([['media'], []]);
  });

  test('has an unknown outcome without a response, and is not sent twice', async () => {
    const member = await aMember();
    const steps = memorySteps();
    const run = aPost(member, steps);
    const post = content(`${longest}b`, {}, [image]);
    await sandbox().fault({ operation: 'comment', kind: 'reset_after' });
    for (const _ of [1, 2]) expect((await failureOf(publish(post, run()))).kind).toBe('unknown_outcome');
    expect(await postsOf(member)).toHaveLength(2);
    expect([steps.ended(), steps.open()]).toEqual([['media'], ['text']]);
  });
});

describe('the address', () => {
  test('of a message in a private channel is the one for its members', async () => {
    const member = await aMember('private-club');
    expect(member.account).toMatchObject({ handle: '', displayName: member.made.displayName, profileUrl: null });
    const remote = await publish(content('Psst'), aPost(member)());
    expect(remote.url).toBe(`https://t.me/c/${member.account.id.replace('-100', '')}/${remote.id}`);
    expect((await fetch(sandbox().route(new URL(remote.url ?? 'none:')))).status).toBe(200);
  });

  test('is unknown while the message has no id, and the text then replies to nothing', async () => {
    const member = await aMember();
    const requests: unknown[] = [];
    await using server = await serve(async (request, response) => {
      const text = await new Response(request).text();
      requests.push(text.startsWith('{') ? JSON.parse(text) : request.url?.split('/').at(-1));
      response.end(JSON.stringify({ ok: true, result: { message_id: 0, chat: { id: -1001234567890 } } }));
    });
    const ctx = { ...aPost(member)(), ...platformClient(server.access(), 'telegram', new AbortController().signal) };
    expect(await publish(content(`${longest}b`, {}, [aVideo()]), ctx)).toEqual({ id: '0', url: null });
    expect(requests).toEqual(['sendVideo', { chat_id: member.account.id, text: `${longest}b` }]);
  });
});

describe('a channel', () => {
  test.for([
    ['club-norights', /not allowed to post/],
    ['club-gone', /cannot find the channel/],
  ] as const)('that the bot cannot post to (%s) fails as "auth" and says what to do', async ([handle, message]) => {
    const member = await aMember();
    const { credentials } = await sandbox().account(handle);
    const ctx = { ...aPost(member)(), credentials: telegram.credentials.parse(credentials) };
    const failure = await failureOf(publish(content('Hello'), ctx));
    expect(failure).toMatchObject({ kind: 'auth', message: expect.stringMatching(message) });
  });
});

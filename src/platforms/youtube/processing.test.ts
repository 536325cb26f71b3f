import { describe, expect, test } from 'vitest';
import { serve } from '../../../test/support/local-server.ts';
import { memorySteps } from '../../../test/support/memory-steps.ts';
import { failureOf } from '../../../test/support/platform-stage.ts';
import { platformClient } from '../kit/client.ts';
import { stepRunner, until } from '../kit/steps.ts';
import { secondsToNextLook, whenProcessed } from './processing.ts';

const uploadedAt = Date.parse('2031-02-03T04:05:06Z');
const video = { videoId: 'Ab3dEf-h1_K', at: uploadedAt, isNew: false };
const account = { id: 'UC1', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1', channelId: 'UC1' };

interface Look {
  status?: number;
  body: unknown;
  minutes?: number;
  isNew?: boolean;
}

/** Looks at the video once, so many minutes after the upload. */
async function look({ status = 200, body, minutes = 1, isNew = false }: Look) {
  const asked: string[] = [];
  await using server = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end(JSON.stringify(body));
  });
  const access = { ...server.access(), now: () => new Date(uploadedAt + minutes * 60_000) };
  const client = platformClient(access, 'youtube', new AbortController().signal);
  const ctx = { ...client, account, credentials, postId: 'p', step: stepRunner(memorySteps().claim()), until };
  const result = await whenProcessed({ ...video, isNew }, ctx);
  expect(asked).toEqual(['/youtube/v3/videos?part=status%2CprocessingDetails&id=Ab3dEf-h1_K']);
  return { result, seconds: secondsToNextLook(video, ctx) };
}
const shown = (status: Record<string, unknown>, processingDetails?: Record<string, unknown>) => ({
  items: [{ id: video.videoId, status, ...(processingDetails && { processingDetails }) }],
});
const atWork = shown({ uploadStatus: 'uploaded' }, { processingStatus: 'processing' });
const refusal = (code: number, reason: string) => ({
  status: code,
  body: { error: { code, message: 'No.', errors: [{ reason }] } },
});

test('a video is processed when YouTube says so', async () => {
  expect((await look({ body: shown({ uploadStatus: 'processed' }) })).result).toBe('processed');
  expect((await look({ body: atWork })).result).toBeNull();
});

test('the looks at it become rarer with time', async () => {
  const seconds = (minutes: number) => look({ body: atWork, minutes }).then((looked) => looked.seconds);
  expect([await seconds(0), await seconds(2), await seconds(60)]).toEqual([10, 30, 300]);
});

test('after two hours nobody waits for it any more', async () => {
  expect((await look({ body: atWork, minutes: 119 })).result).toBeNull();
  expect((await look({ body: atWork, minutes: 121 })).result).toBe('processed');
});

describe('a video that came to nothing', () => {
  test.for([
    [{ uploadStatus: 'failed', failureReason: 'codec' }, undefined, 'codec', /Convert it/],
    [{ uploadStatus: 'rejected', rejectionReason: 'duplicate' }, undefined, 'duplicate', /same one already/],
    [{ uploadStatus: 'rejected', rejectionReason: 'length' }, undefined, 'length', /too long/],
    [{ uploadStatus: 'rejected', rejectionReason: 'copyright' }, undefined, 'copyright', /YouTube Studio/],
    [{ uploadStatus: 'rejected' }, undefined, 'No reason given.', /YouTube Studio/],
    [{ uploadStatus: 'deleted' }, undefined, 'deleted', /deleted/],
    [
      { uploadStatus: 'uploaded' },
      { processingStatus: 'failed', processingFailureReason: 'transcodeFailed' },
      'transcodeFailed',
      /Convert it/,
    ],
  ] as const)('fails the post, and says why: %o', async ([status, processing, reason, message]) => {
    const failure = await failureOf(look({ body: shown(status, processing) }));
    expect(failure).toMatchObject({ kind: 'rejected', reason, mayHaveHappened: false });
    expect(failure.message).toMatch(message);
  });

  test('may be missing from the list, as new ones are for a while', async () => {
    expect((await look({ body: { items: [] }, minutes: 4 })).result).toBeNull();
    expect((await failureOf(look({ body: { items: [] }, minutes: 6 }))).message).toMatch(/deleted/);
  });
});

describe('a look that fails takes nothing from the video', () => {
  test.for([
    ['trouble', { status: 503, body: {} }],
    ['an answer that makes no sense', { body: { items: [{}] } }],
    ['a quota that is used up', refusal(403, 'quotaExceeded')],
  ] as const)('%s is waited out', async ([, answer]) => {
    expect((await look(answer)).result).toBeNull();
    expect((await look({ ...answer, minutes: 121 })).result).toBe('processed');
  });

  test.for([
    ['a sign-in that was taken back', refusal(401, 'authError')],
    ['a refusal', refusal(403, 'forbidden')],
  ] as const)('%s leaves it at that', async ([, answer]) => {
    expect((await look(answer)).result).toBe('unseen');
  });

  test('an access token that the upload outlasted is renewed first', async () => {
    expect((await failureOf(look({ ...refusal(401, 'authError'), isNew: true }))).kind).toBe('auth');
  });
});

import { describe, expect, test } from 'vitest';
import { memorySteps } from '../../../test/support/publishing/memory-steps.ts';
import { serve } from '../../../test/support/servers/local.ts';
import { failureOf } from '../../../test/support/stages/platform.ts';
import { platformClient } from '../kit/http/client.ts';
import { RetryLater, stepRunner, until } from '../kit/steps.ts';
import { processingWait, whenProcessed } from './processing.ts';

const uploadedAt = Date.parse('2031-02-03T04:05:06Z');
const video = { id: 'Ab3dEf-h1_K', url: null, at: uploadedAt, isNew: false };
const account = { id: 'UC1', handle: 'ann', displayName: '', avatarUrl: null, profileUrl: null, traits: {} };
const credentials = { accessToken: 'access-token-1', refreshToken: 'refresh-token-1', channelId: 'UC1' };

interface Check {
  status?: number;
  body: unknown;
  minutes?: number;
  isNew?: boolean;
}

/** Checks the video once, this many minutes after the upload. */
async function check({ status = 200, body, minutes = 1, isNew = false }: Check) {
  const urls: string[] = [];
  await using server = await serve((request, response) => {
    urls.push(request.url ?? '');
    response.writeHead(status).end(JSON.stringify(body));
  });
  const access = { ...server.access(), now: () => new Date(uploadedAt + minutes * 60_000) };
  const client = platformClient(access, 'youtube', new AbortController().signal);
  const ctx = { ...client, account, credentials, postId: 'p', step: stepRunner(memorySteps().claim()), until };
  const wait = processingWait(video, ctx);
  const result = await until(() => whenProcessed({ ...video, isNew }, ctx), wait).catch((error: unknown) => {
    if (error instanceof RetryLater) return error;
    throw error;
  });
  expect(urls).toEqual(['/youtube/v3/videos?part=status%2CprocessingDetails&id=Ab3dEf-h1_K']);
  return { result };
}
const shown = (status: Record<string, unknown>, processingDetails?: Record<string, unknown>) => ({
  items: [{ id: video.id, status, ...(processingDetails && { processingDetails }) }],
});
const processing = shown({ uploadStatus: 'uploaded' }, { processingStatus: 'processing' });
const refusal = (code: number, reason: string) => ({
  status: code,
  body: { error: { code, message: 'No.', errors: [{ reason }] } },
});

test('a video is processed when YouTube says so', async () => {
  expect((await check({ body: shown({ uploadStatus: 'processed' }) })).result).toBe('processed');
  expect((await check({ body: processing })).result).toBeInstanceOf(RetryLater);
});

test('the checks become less frequent with time', async () => {
  const results = [0, 2, 60].map(async (minutes) => (await check({ body: processing, minutes })).result);
  expect(await Promise.all(results)).toMatchObject([{ seconds: 10 }, { seconds: 30 }, { seconds: 300 }]);
});

test('after two hours the post no longer waits', async () => {
  expect((await check({ body: processing, minutes: 119 })).result).toBeInstanceOf(RetryLater);
  expect((await check({ body: processing, minutes: 121 })).result).toBe('processed');
});

describe('a video that YouTube did not keep', () => {
  test.for([
    [{ uploadStatus: 'failed', failureReason: 'codec' }, undefined, 'codec', /Convert the file/],
    [{ uploadStatus: 'rejected', rejectionReason: 'duplicate' }, undefined, 'duplicate', /is a duplicate/],
    [{ uploadStatus: 'rejected', rejectionReason: 'length' }, undefined, 'length', /too long/],
    [{ uploadStatus: 'rejected', rejectionReason: 'copyright' }, undefined, 'copyright', /YouTube Studio/],
    [{ uploadStatus: 'rejected' }, undefined, 'No reason given.', /YouTube Studio/],
    [{ uploadStatus: 'deleted' }, undefined, 'deleted', /deleted/],
    [
      { uploadStatus: 'uploaded' },
      { processingStatus: 'failed', processingFailureReason: 'transcodeFailed' },
      'transcodeFailed',
      /Convert the file/,
    ],
  ] as const)('fails the post with the reason: %o', async ([status, details, reason, message]) => {
    const failure = await failureOf(check({ body: shown(status, details) }));
    expect(failure).toMatchObject({ kind: 'rejected', reason, mayHaveHappened: false });
    expect(failure.message).toMatch(message);
  });

  test('may be missing from the list for a while after the upload', async () => {
    expect((await check({ body: { items: [] }, minutes: 4 })).result).toBeInstanceOf(RetryLater);
    expect((await failureOf(check({ body: { items: [] }, minutes: 6 }))).message).toMatch(/deleted/);
  });
});

describe('a check that fails does not fail the post', () => {
  test.for([
    ['a server error', { status: 503, body: {} }],
    ['an unreadable response', { body: { items: [{}] } }],
    ['a used-up quota', refusal(403, 'quotaExceeded')],
  ] as const)('%s is retried later', async ([, answer]) => {
    expect((await check(answer)).result).toBeInstanceOf(RetryLater);
    expect((await check({ ...answer, minutes: 121 })).result).toBe('processed');
  });

  test.for([
    ['a revoked sign-in', refusal(401, 'authError')],
    ['a refusal', refusal(403, 'forbidden')],
  ] as const)('%s ends the checks', async ([, answer]) => {
    expect((await check(answer)).result).toBe('unreadable');
  });

  test('an access token that expired during the upload is renewed first', async () => {
    expect((await failureOf(check({ ...refusal(401, 'authError'), isNew: true }))).kind).toBe('auth');
  });
});

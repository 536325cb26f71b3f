import { describe, expect, test } from 'vitest';
import { tinyMp4, tinyPng } from './test-media.ts';
import { startTestSandbox } from './testing.ts';

describe('a fault', () => {
  test('status returns the network’s own error as often as ordered, without effect', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    const stored = await (await sandbox.fault({ kind: 'status', status: 503, times: 2, operation: 'publish' })).json();
    expect(stored).toMatchObject({ kind: 'status', operation: 'publish', status: 503, times: 2, remaining: 2 });
    const first = await ann.publish({ status: 'one' });
    expect(first.status).toBe(503);
    expect((await first.json()).error).toMatch(/temporary problem/);
    expect((await (await sandbox.at('/_control/faults')).json())[0].remaining).toBe(1);
    expect((await ann.publish({ status: 'one' })).status).toBe(503);
    expect((await ann.publish({ status: 'one' })).status).toBe(200);
    expect(await sandbox.posts()).toHaveLength(1);
  });

  test('rate_limit returns 429 with the vendor’s headers and no Retry-After', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'rate_limit', retryAfterSeconds: 90 });
    const response = await ann.publish({ status: 'one' });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ error: 'Too many requests' });
    expect(response.headers.get('retry-after')).toBeNull();
    expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = response.headers.get('x-ratelimit-reset') ?? '';
    expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Math.abs(Date.parse(reset) - Date.now() - 90_000)).toBeLessThan(5_000);
  });

  test('timeout never responds and has no effect', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'timeout', operation: 'publish' });
    const waiting = sandbox.at('/mastodon.social/api/v1/statuses', {
      method: 'POST',
      body: '{"status":"one"}',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ann.credentials.accessToken}` },
      signal: AbortSignal.timeout(150),
    });
    await expect(waiting).rejects.toThrow(/timeout/i);
    expect(await sandbox.posts()).toEqual([]);
    expect(await sandbox.requests()).toMatchObject([{ operation: 'publish', status: null }]);
  });

  test('reset_before resets the connection before any effect', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'reset_before' });
    await expect(ann.publish({ status: 'one' })).rejects.toThrow('fetch failed');
    expect(await sandbox.posts()).toEqual([]);
  });

  test('reset_after accepts the post, then resets the connection', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'reset_after', operation: 'publish' });
    await expect(ann.publish({ status: 'one' })).rejects.toThrow('fetch failed');
    expect(await sandbox.posts()).toHaveLength(1);
    expect(await sandbox.requests()).toMatchObject([{ operation: 'publish', status: null }]);
  });

  test('nonsense accepts the post, then returns an unrelated page', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'nonsense', operation: 'publish' });
    const response = await ann.publish({ status: 'one' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await sandbox.posts()).toHaveLength(1);
  });

  test('latency delays the response and changes nothing else', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'latency', latencyMs: 120 });
    const began = performance.now();
    expect((await ann.publish({ status: 'one' })).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(115);
  });

  test('expired_token returns the vendor’s error for an expired token', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'expired_token', operation: 'publish' });
    const response = await ann.publish({ status: 'one' });
    expect([response.status, await response.json()]).toEqual([401, { error: 'The access token is invalid' }]);
  });

  test('processing_failed makes the processing of the next upload fail', async () => {
    const sandbox = await startTestSandbox({ processingMs: 0 });
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'processing_failed' });
    const upload = await ann.upload(tinyMp4);
    expect(upload.status).toBe(202);
    const { id } = await upload.json();
    expect((await ann.get(`/api/v1/media/${id}`)).status).toBe(422);
    const next = await (await ann.upload(tinyMp4)).json();
    expect((await ann.get(`/api/v1/media/${next.id}`)).status).toBe(200);
  });

  test('hits only the operation it names', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'status', status: 500, operation: 'upload' });
    expect((await ann.publish({ status: 'one' })).status).toBe(200);
    expect((await ann.upload(tinyPng)).status).toBe(500);
  });

  test('on publish also hits a reply; on comment it hits only replies', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'status', status: 500, operation: 'comment' });
    const { id } = await (await ann.publish({ status: 'one' })).json();
    expect((await ann.publish({ status: 'two', in_reply_to_id: id })).status).toBe(500);
    await sandbox.fault({ kind: 'status', status: 502, operation: 'publish' });
    expect((await ann.publish({ status: 'two', in_reply_to_id: id })).status).toBe(502);
  });

  test('with skip lets the first requests pass', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'status', status: 500, operation: 'publish', skip: 1 });
    const statuses = [];
    for (const status of ['one', 'two', 'three']) statuses.push((await ann.publish({ status })).status);
    expect(statuses).toEqual([200, 500, 200]);
  });

  test('ends after DELETE', async () => {
    const sandbox = await startTestSandbox();
    const ann = await sandbox.account('ann');
    await sandbox.fault({ kind: 'reset_before', times: 5 });
    await sandbox.at('/_control/faults', { method: 'DELETE' });
    expect((await ann.publish({ status: 'one' })).status).toBe(200);
  });
});

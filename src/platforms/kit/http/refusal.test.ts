import { expect, test } from 'vitest';
import { commonErrors, type KnownError, refusal } from './refusal.ts';

const { rateLimited, duplicate } = commonErrors('Example');
const refused = (status: number, said: string, known?: KnownError, retryAfterSeconds?: number) =>
  refusal(new Response(null, { status, statusText: 'Status Text' }), {
    name: 'Example',
    said,
    known,
    secrets: ['secret-0123'],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

test("a known error has its own kind and message, and the vendor's words as the reason", () => {
  expect(refused(422, 'Seen before', duplicate)).toMatchObject({
    kind: 'rejected',
    message: 'Example does not publish the same text twice. Change the text.',
    reason: 'Seen before',
    status: 422,
    retryAfterSeconds: null,
    mayHaveHappened: false,
  });
});

test('an unknown error is a refusal of what was sent', () => {
  expect(refused(400, 'Nonsense')).toMatchObject({ kind: 'rejected', reason: 'Nonsense', mayHaveHappened: false });
});

test('a server error is "unavailable" and in doubt, whatever it says', () => {
  const failure = refused(503, 'Seen before', duplicate);
  expect(failure).toMatchObject({ kind: 'unavailable', reason: 'Seen before', mayHaveHappened: true });
  expect(failure.message).toContain('Example returned an error (503)');
});

test('a 403 without a word is from a firewall, which passed nothing on', () => {
  const failure = refused(403, '');
  expect(failure).toMatchObject({ kind: 'unavailable', reason: '403 Status Text', mayHaveHappened: false });
  expect(failure.message).toContain('firewall');
});

test('only a rate limit says when to try again', () => {
  expect(refused(429, 'Slow', rateLimited, 30).retryAfterSeconds).toBe(30);
  expect(refused(429, 'Slow', { ...rateLimited, retryAfterSeconds: 3600 }, 30).retryAfterSeconds).toBe(3600);
  expect(refused(422, 'Seen before', duplicate, 30).retryAfterSeconds).toBeNull();
});

test('secrets that the vendor repeats are redacted', () => {
  expect(refused(400, 'Bad secret-0123').reason).toBe('Bad [secret]');
});

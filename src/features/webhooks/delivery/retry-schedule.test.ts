import { describe, expect, test } from 'vitest';
import { nextAttempt } from './retry-schedule.ts';

const now = new Date('2031-02-03T04:05:06Z');

function waitAfter(attempts: number, retryAfterSeconds: number | null = null): number | null {
  const at = nextAttempt(attempts, retryAfterSeconds, now);
  return at && (at.getTime() - now.getTime()) / 1000;
}

describe('a delivery that fails is retried', () => {
  test.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 18_000],
    [6, 36_000],
    [7, 36_000],
  ])('after attempt %i, %i s later plus at most 20 %', (attempts, seconds) => {
    expect(waitAfter(attempts)).toBeGreaterThanOrEqual(seconds);
    expect(waitAfter(attempts)).toBeLessThanOrEqual(seconds * 1.2);
  });

  test('seven times, and not after the eighth attempt', () => {
    expect(waitAfter(8)).toBeNull();
    expect(waitAfter(8, 60)).toBeNull();
  });

  test('later if the receiver asks for it, at most ten hours later', () => {
    expect(waitAfter(1, 90)).toBe(90);
    expect(waitAfter(1, 1_000_000)).toBe(36_000);
  });

  test('no sooner than planned, whatever the receiver asks for', () => {
    expect(waitAfter(2, 1)).toBeGreaterThanOrEqual(300);
  });
});

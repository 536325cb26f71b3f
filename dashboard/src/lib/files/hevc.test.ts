import { describe, expect, test } from 'vitest';
import { hevcAdvice } from './hevc.ts';

describe('an HEVC video', () => {
  test('is uploaded without a question where every network accepts it and the browser shows it', () => {
    expect(hevcAdvice(['instagram', 'youtube'], true).kind).toBe('fine');
  });

  test.each<[string, string[], boolean, string, RegExp]>([
    ['is refused for a network that can’t publish it', ['instagram', 'twitter'], true, 'refused', /Or deselect X\.$/],
    ['may be rejected', ['instagram', 'bluesky'], true, 'unsure', /which Bluesky may reject\. Export it as H\.264/],
    ['can’t be shown', ['instagram'], false, 'unsure', /Instagram can publish it, but this browser can’t show it/],
    ['is explained without channels', [], true, 'unsure', /Facebook, Instagram, Threads, TikTok and YouTube accept it/],
  ])('%s', (_, platforms, canPlay, kind, message) => {
    const advice = hevcAdvice(platforms, canPlay);
    expect(advice.kind).toBe(kind);
    expect(advice.message).toMatch(message);
  });
});

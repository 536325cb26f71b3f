import { describe, expect, test } from 'vitest';
import {
  type Draft,
  type DraftAction,
  draftFor,
  emptyDraft,
  hasFileChanges,
  historyOf,
  isBlank,
  reduceHistory,
  withoutFileChanges,
} from './draft.ts';

/** One step per second, so that steps aren't merged. */
const after = (...actions: (DraftAction & { at?: number })[]) =>
  actions.reduce(
    (history, action, index) => reduceHistory(history, { at: index * 1000, ...action }),
    historyOf(emptyDraft),
  );

describe('the composer’s draft', () => {
  test('holds texts, channels and options', () => {
    const { draft } = after(
      { type: 'text', text: 'Hello' },
      { type: 'channel', id: 'mastodon-1', chosen: true },
      { type: 'channel', id: 'bluesky-1', chosen: true },
      { type: 'channel', id: 'mastodon-1', chosen: false },
      { type: 'override', id: 'bluesky-1', text: 'Hello, sky' },
      { type: 'setting', platform: 'telegram', name: 'protectContent', value: true },
    );
    expect(draft).toEqual({
      ...emptyDraft,
      text: 'Hello',
      channels: ['bluesky-1'],
      overrides: { 'bluesky-1': 'Hello, sky' },
      settings: { telegram: { protectContent: true } },
    } satisfies Draft);
  });

  test('can be discarded, which can be undone', () => {
    const history = after({ type: 'text', text: 'Hello' }, { type: 'reset', draft: emptyDraft });
    expect(history.draft).toBe(emptyDraft);
    expect(reduceHistory(history, { type: 'undo', at: 9000 }).draft.text).toBe('Hello');
  });

  test('undoes and redoes across text and channels', () => {
    const history = after(
      { type: 'text', text: 'Hello' },
      { type: 'channel', id: 'mastodon-1', chosen: true },
      { type: 'undo' },
      { type: 'undo' },
    );
    expect(isBlank(history.draft)).toBe(true);
    const again = reduceHistory(reduceHistory(history, { type: 'redo', at: 1 }), { type: 'redo', at: 2 });
    expect([again.draft.text, again.draft.channels]).toEqual(['Hello', ['mastodon-1']]);
    expect(reduceHistory(again, { type: 'redo', at: 3 })).toBe(again);
  });

  test('undoes quick typing in one step, and a pause starts a new one', () => {
    const typed = after(
      { type: 'text', text: 'H', at: 0 },
      { type: 'text', text: 'Hi', at: 200 },
      { type: 'text', text: 'Hi you', at: 2000 },
      { type: 'undo', at: 2100 },
    );
    expect(typed.draft.text).toBe('Hi');
    expect(reduceHistory(typed, { type: 'undo', at: 2200 }).draft.text).toBe('');
  });

  test('selects all channels in one step', () => {
    const both = ['mastodon-1', 'bluesky-1'];
    const history = after({ type: 'channels', ids: both });
    expect(history.draft.channels).toEqual(both);
    expect(reduceHistory(history, { type: 'undo', at: 1 }).draft.channels).toEqual([]);
  });

  test('keeps labels, undoes each of them separately, and counts them as worth saving', () => {
    const history = after(
      { type: 'labels', labels: ['launch'], at: 0 },
      { type: 'labels', labels: ['launch', 'spring'], at: 100 },
    );
    expect(history.draft.labels).toEqual(['launch', 'spring']);
    const before = reduceHistory(history, { type: 'undo', at: 200 });
    expect([before.draft.labels, isBlank(before.draft)]).toEqual([['launch'], false]);
  });

  test('is blank while only channels are chosen', () => {
    const { draft } = after({ type: 'channel', id: 'mastodon-1', chosen: true });
    expect(isBlank(draft)).toBe(true);
    expect(isBlank({ ...draft, text: 'H' })).toBe(false);
  });

  test('limited to some channels keeps only their comments', () => {
    const comment = (text: string, platforms: string[]) => ({ text, platforms, delaySeconds: 0 });
    const draft: Draft = {
      ...emptyDraft,
      channels: ['mastodon-1', 'twitter-1', 'linkedin-1'],
      comments: [comment('all', []), comment('two', ['mastodon', 'twitter']), comment('one', ['mastodon'])],
    };
    expect(draftFor(['twitter-1', 'linkedin-1'], draft)).toEqual({
      ...draft,
      channels: ['twitter-1', 'linkedin-1'],
      comments: [comment('all', []), comment('two', ['twitter'])],
    });
  });

  test('keeps separate files of a deselected channel, which change nothing in the post', () => {
    const files = { base: [], order: [], added: {} };
    const history = after(
      { type: 'channel', id: 'mastodon-1', chosen: true },
      { type: 'ownFiles', id: 'mastodon-1', change: () => files },
      { type: 'ownFiles', id: 'bluesky-1', change: () => files },
    );
    expect([hasFileChanges(history.draft), isBlank(history.draft)]).toEqual([true, false]);
    const stored = withoutFileChanges(history.draft);
    expect(stored.ownFiles).toEqual({ 'bluesky-1': files });
    expect(hasFileChanges(stored)).toBe(false);
    // Their steps are over.
    const { past } = reduceHistory(history, { type: 'filesStored', draft: stored, at: 9000 });
    expect(past).toHaveLength(1);
  });

  test('drops undone steps after a new change', () => {
    const { future } = after({ type: 'text', text: 'a' }, { type: 'undo' }, { type: 'text', text: 'b' });
    expect(future).toEqual([]);
  });
});

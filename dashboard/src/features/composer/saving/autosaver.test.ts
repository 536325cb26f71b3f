import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Draft, emptyDraft } from '../draft.ts';
import { Autosaver, Conflict, isScheduled, type Place, type SaveEffects } from './autosaver.ts';

const post = (version: number, isScheduled = false) =>
  ({ kind: 'post', postGroupId: 'p1', version, isScheduled }) satisfies Place;
const thought: Draft = { ...emptyDraft, text: 'A thought' };
const ready: Draft = { ...thought, channels: ['mastodon-1'] };

const photo = { base: [], order: ['photo'], added: {} };

/** Records calls and responds like the service. */
function effects(more: Partial<SaveEffects> = {}) {
  const done: string[] = [];
  const note = (what: string) => void done.push(what);
  const all: SaveEffects = {
    createPost: async ({ text }) => {
      note(`create ${text}`);
      return post(1);
    },
    updatePost: async (place, { text }) => {
      note(`update ${text} over ${place.version}`);
      return post(place.version + 1, place.isScheduled);
    },
    saveDraft: async (place, { text }) => {
      note(`draft ${text}`);
      return { ...place, version: place.version + 1 };
    },
    storeFiles: async (place, { files }) => {
      note(`files ${files?.order}`);
      return { ...place, isScheduled: false, isBehind: true };
    },
    newDraftId: () => 'd1',
    onPlace: ({ kind }) => note(`is now a ${kind}`),
    keep: () => undefined,
    forget: () => undefined,
    ...more,
  };
  return { all, done };
}

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('waits for a second without changes, and saves a draft that later becomes a post', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, { kind: 'nowhere' }, emptyDraft);
    saver.change({ ...emptyDraft, text: 'A' });
    await vi.advanceTimersByTimeAsync(900);
    saver.change(thought);
    await vi.advanceTimersByTimeAsync(900);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(done).toEqual(['draft A thought', 'is now a draft']);
    saver.change(ready);
    await vi.advanceTimersByTimeAsync(1100);
    saver.change({ ...ready, text: 'Another' });
    await vi.advanceTimersByTimeAsync(1100);
    expect(done.slice(2)).toEqual(['create A thought', 'is now a post', 'update Another over 1']);
    expect([saver.hasUnsaved, saver.state().kind]).toEqual([false, 'saved']);
  });

  test('doesn’t save a draft with channels only', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, { kind: 'nowhere' }, emptyDraft);
    saver.change({ ...emptyDraft, channels: ['mastodon-1'] });
    await vi.advanceTimersByTimeAsync(5000);
    expect(await saver.flush()).toBe(true);
    expect([done, saver.hasUnsaved, saver.state().kind]).toEqual([[], false, 'idle']);
  });

  test('doesn’t change a scheduled post until it is submitted', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, post(4, true), ready);
    saver.change({ ...ready, text: 'Edited' });
    await vi.advanceTimersByTimeAsync(5000);
    expect([done, saver.state().kind, saver.hasUnsaved]).toEqual([[], 'unconfirmed', true]);
    await saver.submit(async (place, { draft }) => all.updatePost(place, draft, ready));
    expect([done, saver.hasUnsaved]).toEqual([['update Edited over 4'], false]);
  });

  test('forgets the local backup of a scheduled post once its changes are discarded', async () => {
    let backup: string | null = null;
    const { all, done } = effects({
      keep: ({ text }) => {
        backup = text;
      },
      forget: () => {
        backup = null;
      },
    });
    const saver = new Autosaver(all, post(4, true), ready);
    saver.change({ ...ready, text: 'Edited' });
    expect([saver.state().kind, backup]).toEqual(['unconfirmed', 'Edited']);
    saver.change(saver.stored);
    expect([saver.state().kind, backup, saver.hasUnsaved]).toEqual(['idle', null, false]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(done).toEqual([]);
  });

  test('saves pending changes as a draft once the post is unscheduled, and waits again after an undo', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, post(4, true), ready);
    saver.change({ ...ready, text: 'Edited' });
    await saver.changeStatus(async () => post(5));
    expect(saver.state().kind).toBe('unsaved');
    await vi.advanceTimersByTimeAsync(1100);
    expect(done).toEqual(['update Edited over 5']);
    await saver.changeStatus(async () => post(7, true));
    saver.change({ ...ready, text: 'Edited again' });
    expect(saver.state().kind).toBe('unconfirmed');
  });

  test('follows a status that changed elsewhere, but not the result of its own write', async () => {
    const { all } = effects({ updatePost: async (place) => ({ ...place, isBehind: false }) });
    const saver = new Autosaver(all, post(4, true), ready);
    const ownWrite = saver.changeStatus(async () => post(5));
    expect(await saver.followStatus(async () => 'draft')).toBe(false);
    await ownWrite;
    expect(await saver.followStatus(async () => 'scheduled')).toBe(true);
    expect(saver.place).toMatchObject({ isScheduled: true, isBehind: true });
  });

  test('changes files after a write in progress, and reads the version before the next one', async () => {
    let written = () => {};
    const places: Place[] = [];
    const { all, done } = effects({
      updatePost: (place, { text }) => {
        places.push(place);
        done.push(`update ${text}`);
        return new Promise((resolve) => {
          written = () => resolve({ ...post(place.version + 1), isBehind: false });
        });
      },
    });
    const saver = new Autosaver(all, post(4), ready);
    saver.change({ ...ready, text: 'One' });
    await vi.advanceTimersByTimeAsync(1100);
    const change = saver.changeFiles(async () => void done.push('describe'));
    await vi.advanceTimersByTimeAsync(100);
    expect(done).toEqual(['update One']);
    written();
    await change;
    saver.change({ ...ready, text: 'Two' });
    await vi.advanceTimersByTimeAsync(1100);
    expect(done).toEqual(['update One', 'describe', 'update Two']);
    expect(places).toMatchObject([{ version: 4 }, { version: 5, isBehind: true }]);
    written();
  });

  test('reads the version after a failed change of files, too, because it may have arrived', async () => {
    const saver = new Autosaver(effects().all, post(4), ready);
    await expect(saver.changeFiles(() => Promise.reject(new Error('No answer')))).rejects.toThrow('No answer');
    expect(saver.place).toMatchObject({ version: 4, isBehind: true });
  });

  test('doesn’t take a post that is out for a draft', async () => {
    const { all } = effects();
    const saver = new Autosaver(all, post(4), ready);
    await saver.submit(async () => post(5, true));
    expect(await saver.followStatus(async () => 'published')).toBe(false);
    expect(isScheduled(saver.place)).toBe(true);
  });

  test('stores files once there is a post, and says so only then', async () => {
    const kept: string[] = [];
    let isOffline = true;
    const { all, done } = effects({ keep: ({ files }) => void kept.push(String(files?.order)) });
    const { storeFiles } = all;
    const failing = {
      ...all,
      storeFiles: async (...args: Parameters<typeof storeFiles>) => {
        if (isOffline) throw new Error('offline');
        return storeFiles(...args);
      },
    };
    const saver = new Autosaver(failing, { kind: 'nowhere' }, emptyDraft);
    saver.change({ ...emptyDraft, files: photo });
    await vi.advanceTimersByTimeAsync(1100);
    expect(done).toEqual(['draft ', 'is now a draft']);
    const draft = { ...ready, files: photo };
    saver.change(draft);
    kept.length = 0;
    await vi.advanceTimersByTimeAsync(1100);
    expect(done.slice(2)).toEqual(['create A thought', 'is now a post']);
    expect([saver.state().kind, saver.hasUnsaved, kept]).toEqual(['failed', true, ['photo']]);
    isOffline = false;
    expect(await saver.flush()).toBe(true);
    expect(done.slice(4)).toEqual(['update A thought over 1', 'files photo']);
    expect([saver.state().kind, saver.hasUnsaved]).toEqual(['saved', false]);
    expect(await saver.settle()).toEqual(ready);
    expect([saver.hasUnsaved, saver.draft.files]).toEqual([false, null]);
  });

  test('stores separate files of selected channels like shared ones', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, post(1), ready);
    saver.change({ ...ready, ownFiles: { 'bluesky-1': photo } });
    await vi.advanceTimersByTimeAsync(1100);
    expect(done).toEqual(['update A thought over 1']);
    saver.change({ ...ready, ownFiles: { 'bluesky-1': photo, 'mastodon-1': null } });
    await vi.advanceTimersByTimeAsync(1100);
    expect(done.slice(1)).toEqual(['update A thought over 2', 'files undefined']);
    expect((await saver.settle())?.ownFiles).toEqual({ 'bluesky-1': photo });
    expect([saver.hasUnsaved, await saver.settle()]).toEqual([false, null]);
  });

  test('changes the files of a scheduled post when it is submitted, and can repeat that', async () => {
    const { all, done } = effects();
    const saver = new Autosaver(all, post(4, true), ready);
    saver.change({ ...ready, files: photo });
    await vi.advanceTimersByTimeAsync(5000);
    expect([done, saver.state().kind]).toEqual([[], 'unconfirmed']);
    const write = async (place: Place & { kind: 'post' }) => post(place.version + 2, true);
    const refuse = () => Promise.reject(new Error('The text is too long'));
    await expect(saver.submit(refuse)).rejects.toThrow('too long');
    expect([saver.place, saver.hasUnsaved]).toMatchObject([{ isScheduled: false, isBehind: true }, true]);
    await saver.submit(write);
    expect(done).toEqual(['files photo', 'files photo']);
    expect([saver.place, saver.hasUnsaved]).toMatchObject([{ isScheduled: true }, false]);
  });

  test('reports a failure and retries on the next flush', async () => {
    let isOffline = true;
    const { all } = effects({
      updatePost: async (place) => {
        if (isOffline) throw new Error('offline');
        return post(place.version + 1);
      },
    });
    const saver = new Autosaver(all, post(1), ready);
    saver.change({ ...ready, text: 'Offline' });
    await vi.advanceTimersByTimeAsync(1100);
    expect([saver.state().kind, saver.hasUnsaved]).toEqual(['failed', true]);
    isOffline = false;
    expect(await saver.flush()).toBe(true);
    expect(saver.state().kind).toBe('saved');
  });

  test.each([
    ['mine', 'update Mine over 7'],
    ['theirs', null],
  ] as const)('keeps %s after a conflict', async (choice, expected) => {
    const theirs = { ...ready, text: 'Theirs' };
    const { all, done } = effects();
    const write = all.updatePost;
    const conflicting = {
      ...all,
      updatePost: async (...args: Parameters<typeof write>) => {
        if (args[0].version === 1) throw new Conflict(theirs, post(7));
        return write(...args);
      },
    };
    const saver = new Autosaver(conflicting, post(1), ready);
    saver.change({ ...ready, text: 'Mine' });
    await vi.advanceTimersByTimeAsync(1100);
    expect(saver.state()).toMatchObject({ kind: 'conflict', theirs });
    saver.resolve(choice);
    await vi.advanceTimersByTimeAsync(1100);
    expect([done, saver.hasUnsaved]).toEqual([expected === null ? [] : [expected], false]);
  });
});

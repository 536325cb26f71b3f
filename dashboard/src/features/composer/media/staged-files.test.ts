import type { Media } from '@crier/client';
import { describe, expect, test } from 'vitest';
import {
  type AddedFile,
  adoptFiles,
  changesTo,
  checkedIds,
  inOrder,
  shownFiles,
  stagedFrom,
  withAltText,
  withFile,
  withoutFile,
} from './staged-files.ts';

const stored = (...ids: string[]): Media[] => ids.map((mediaId) => ({ mediaId, altText: null }) as Media);
const added = (mediaId: string): AddedFile => ({
  source: { mediaId },
  name: `${mediaId}.png`,
  type: 'image',
  url: `/media/${mediaId}`,
  altText: '',
});
const none = new Map<string, string>();
const ids = (files: readonly Media[]) => files.map(({ mediaId }) => mediaId);

describe('changes to files that are held back', () => {
  test('show the files as wanted, and say what to do', () => {
    const post = stored('a', 'b');
    let files = stagedFrom(null, post, none);
    files = withFile(files, 'new', added('library'), {}, none);
    files = withoutFile(files, 'a');
    files = inOrder(files, ['new', 'b']);
    files = withFile(files, 'crop', added('cropped'), { replaces: 'b' }, none);
    files = withAltText(files, 'new', 'The sea');
    const shown = shownFiles(files, post, none);
    expect(shown).toMatchObject([{ mediaId: 'new', altText: 'The sea', url: '/media/library' }, { mediaId: 'crop' }]);
    expect(checkedIds(files, shown)).toEqual(['library', 'cropped']);
    expect(changesTo(files, post, none)).toEqual({
      attach: ['new', 'crop'],
      remove: ['a', 'b'],
      order: ['new', 'crop'],
    });
  });

  test('are repeated after an interruption without attaching a file twice', () => {
    const files = withoutFile(withFile(stagedFrom(null, stored('a'), none), 'new', added('library'), {}, none), 'a');
    const attached = new Map([['new', 'b']]);
    const half = stored('a', 'b');
    expect(ids(shownFiles(files, half, attached))).toEqual(['b']);
    expect(changesTo(files, half, attached)).toEqual({ attach: [], remove: ['a'], order: ['b'] });
    expect(changesTo(files, stored('b'), attached)).toEqual({ attach: [], remove: [], order: ['b'] });
    // Removed after all.
    const without = withoutFile(stagedFrom(files, half, attached), 'b');
    expect(changesTo(without, half, attached)).toEqual({ attach: [], remove: ['a', 'b'], order: [] });
  });

  test('leave out a file that was removed while it was being attached', () => {
    const adding = withFile(stagedFrom(null, stored('a'), none), 'new', added('library'), {}, none);
    const removed = withoutFile(stagedFrom(adding, stored('a'), none), 'new');
    const attached = new Map([['new', 'b']]);
    expect(changesTo(removed, stored('a', 'b', 'c'), attached)).toEqual({
      attach: [],
      remove: ['b'],
      order: ['a', 'c'],
    });
  });

  test('replace a file that was attached while its replacement was uploaded', () => {
    const attached = new Map([['new', 'b']]);
    const files = stagedFrom(null, stored('a', 'b'), none);
    const cropped = withFile(files, 'crop', added('cropped'), { replaces: 'new' }, attached);
    expect(cropped.order).toEqual(['a', 'crop']);
  });

  test('include a file whose answer was lost: it has the same URL, and each is adopted once', () => {
    const wanted = { k1: added('x'), k2: added('x'), k3: added('y'), k4: added('z') };
    const attached = new Map([['k3', 'y1']]);
    const found = [
      { mediaId: 'x1', url: '/media/x' },
      { mediaId: 'y2', url: '/media/y' },
    ] as Media[];
    adoptFiles(Object.keys(wanted), wanted, found, attached);
    expect(Object.fromEntries(attached)).toEqual({ k3: 'y1', k1: 'x1' });
  });

  test('keep files that others add, and leave out those that others delete', () => {
    const files = inOrder(stagedFrom(null, stored('a', 'b'), none), ['b', 'a']);
    expect(changesTo(files, stored('a', 'c'), none)).toEqual({ attach: [], remove: [], order: ['a', 'c'] });
  });
});

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { describe } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { Autosaver } from '../saving/autosaver.ts';

/** A file being uploaded. Once complete, the post lists it. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly source: File | string;
  readonly about: About;
  /** A local object URL. Null for files from a URL. */
  readonly previewUrl: string | null;
  readonly type: string;
  readonly state: 'waiting' | 'uploading' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error: string | null;
}

export interface About {
  readonly altText?: string;
  /** The position among the files. Default: last. */
  readonly at?: number;
  /** The file that it replaces. */
  readonly replaces?: string;
  /** Called with the file's ID once uploaded. */
  readonly onAttached?: (mediaId: string) => void;
}

export interface Uploads {
  readonly list: readonly Upload[];
  add(sources: readonly (File | string)[], about?: About): void;
  cancel(id: string): void;
  retry(id: string): void;
}

type Action =
  | { type: 'add'; uploads: readonly Upload[] }
  | { type: 'change'; id: string; change: Partial<Upload> }
  | { type: 'remove'; id: string };

/** Uploads files one by one, so that they keep the order in which they were chosen. */
export function useUploads(
  saver: Autosaver,
  postGroupId: string | null,
  onAdded: (mediaId: string, source: File) => void,
): Uploads {
  const client = useQueryClient();
  const [list, dispatch] = useReducer(reduce, []);
  const aborts = useRef(new Map<string, AbortController>());
  const isBusy = list.some(({ state }) => state === 'uploading');
  const next = isBusy ? undefined : list.find(({ state }) => state === 'waiting');

  useEffect(() => {
    if (!next || !postGroupId) return;
    const { id, source, about, previewUrl } = next;
    const abort = new AbortController();
    aborts.current.set(id, abort);
    dispatch({ type: 'change', id, change: { state: 'uploading', error: null } });
    const onProgress = (progress: number) => dispatch({ type: 'change', id, change: { progress } });
    void send(next, postGroupId, onProgress, abort.signal).then(
      async (mediaId) => {
        if (mediaId !== null && typeof source !== 'string') {
          if (about.onAttached) about.onAttached(mediaId);
          else onAdded(mediaId, source);
        }
        await client.invalidateQueries({ queryKey: keys.post(postGroupId) });
        dispatch({ type: 'remove', id });
        if (previewUrl) URL.revokeObjectURL(previewUrl);
      },
      (error: unknown) => {
        void discardUnfinished(next.name, postGroupId).catch(() => undefined);
        if (abort.signal.aborted) return;
        dispatch({ type: 'change', id, change: { state: 'failed', error: describe(error).message } });
      },
    );
  }, [next, postGroupId, client, onAdded]);

  const add = useCallback(
    (sources: readonly (File | string)[], about: About = {}) => {
      dispatch({ type: 'add', uploads: sources.map((source) => uploadOf(source, about)) });
      void saver.ensurePost();
    },
    [saver],
  );
  const cancel = useCallback((id: string) => {
    aborts.current.get(id)?.abort();
    dispatch({ type: 'remove', id });
  }, []);
  const retry = useCallback(
    (id: string) => dispatch({ type: 'change', id, change: { state: 'waiting', progress: 0, error: null } }),
    [],
  );
  return useMemo(() => ({ list, add, cancel, retry }), [list, add, cancel, retry]);
}

function reduce(list: readonly Upload[], action: Action): readonly Upload[] {
  switch (action.type) {
    case 'add':
      return [...list, ...action.uploads];
    case 'change':
      return list.map((upload) => (upload.id === action.id ? { ...upload, ...action.change } : upload));
    case 'remove':
      return list.filter(({ id }) => id !== action.id);
  }
}

let count = 0;

function uploadOf(source: File | string, about: About): Upload {
  count += 1;
  const isFile = typeof source !== 'string';
  return {
    id: `upload-${count}`,
    name: isFile ? source.name : source.replace(/[?#].*$/, '').replace(/^.*\//, ''),
    source,
    about,
    previewUrl: isFile && /^(image|video)\//.test(source.type) ? URL.createObjectURL(source) : null,
    type: isFile ? source.type : '',
    state: 'waiting',
    progress: 0,
    error: null,
  };
}

/** Returns the attached file's ID. Null for files from a URL. */
async function send(
  { source, about }: Upload,
  postGroupId: string,
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<string | null> {
  if (typeof source === 'string') {
    await crier.attachMedia({ postGroupId, file: { download_url: source, file_id: source.slice(0, 512) } }, { signal });
    return null;
  }
  const { _id: mediaId } = await crier.uploadMedia(source, {
    postGroupId,
    fileName: source.name || 'picture.png',
    altText: about.altText,
    onProgress: ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total),
    signal,
  });
  await takePlace(mediaId, postGroupId, about);
  return mediaId;
}

/** An incomplete upload leaves a record among the files that would block publishing. */
async function discardUnfinished(name: string, postGroupId: string) {
  const { media } = await crier.getPost({ postGroupId });
  const left = media.filter(({ sourceFileName, status }) => sourceFileName === name && status === 'uploading');
  for (const { mediaId } of left) await crier.deleteMedia({ mediaId });
}

/** Moves the new file before the one it replaces and then deletes that one, so that no file is missing at any time. */
async function takePlace(mediaId: string, postGroupId: string, { at, replaces }: About) {
  if (at === undefined && replaces === undefined) return;
  const { media } = await crier.getPost({ postGroupId });
  const others = media.map((file) => file.mediaId).filter((id) => id !== mediaId);
  const index = replaces === undefined ? at! : others.indexOf(replaces);
  if (index >= 0 && index < others.length) {
    await crier.reorderMedia({ postGroupId, mediaIds: others.toSpliced(index, 0, mediaId) });
  }
  if (replaces !== undefined && others.includes(replaces)) await crier.deleteMedia({ mediaId: replaces });
}

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { describe } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';
import type { Saver } from './saver.ts';

/** A file on its way to the post. Once it is there, the post lists it. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly source: File | string;
  /** The file as the browser has it. Null for a file at an address. */
  readonly previewUrl: string | null;
  readonly type: string;
  readonly state: 'waiting' | 'uploading' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error: string | null;
}

export interface Uploads {
  readonly list: readonly Upload[];
  add(sources: readonly (File | string)[]): void;
  cancel(id: string): void;
  retry(id: string): void;
}

type Action =
  | { type: 'add'; uploads: readonly Upload[] }
  | { type: 'change'; id: string; change: Partial<Upload> }
  | { type: 'remove'; id: string };

/** Sends files one after the other, so that they are attached in the order in which they were chosen. */
export function useUploads(saver: Saver, postGroupId: string | null): Uploads {
  const client = useQueryClient();
  const [list, dispatch] = useReducer(reduce, []);
  const aborts = useRef(new Map<string, AbortController>());
  const isBusy = list.some(({ state }) => state === 'uploading');
  const next = isBusy ? undefined : list.find(({ state }) => state === 'waiting');

  useEffect(() => {
    if (!next || !postGroupId) return;
    const { id, source, previewUrl } = next;
    const abort = new AbortController();
    aborts.current.set(id, abort);
    dispatch({ type: 'change', id, change: { state: 'uploading', error: null } });
    const onProgress = (progress: number) => dispatch({ type: 'change', id, change: { progress } });
    void send(source, postGroupId, onProgress, abort.signal).then(
      async () => {
        await client.invalidateQueries({ queryKey: keys.post(postGroupId) });
        dispatch({ type: 'remove', id });
        if (previewUrl) URL.revokeObjectURL(previewUrl);
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        dispatch({ type: 'change', id, change: { state: 'failed', error: describe(error).message } });
      },
    );
  }, [next, postGroupId, client]);

  const add = useCallback(
    (sources: readonly (File | string)[]) => {
      dispatch({ type: 'add', uploads: sources.map(uploadOf) });
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
  return { list, add, cancel, retry };
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

function uploadOf(source: File | string): Upload {
  count += 1;
  const isFile = typeof source !== 'string';
  return {
    id: `upload-${count}`,
    name: isFile ? source.name : source.replace(/[?#].*$/, '').replace(/^.*\//, ''),
    source,
    previewUrl: isFile && /^(image|video)\//.test(source.type) ? URL.createObjectURL(source) : null,
    type: isFile ? source.type : '',
    state: 'waiting',
    progress: 0,
    error: null,
  };
}

async function send(
  source: File | string,
  postGroupId: string,
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<void> {
  if (typeof source === 'string') {
    await crier.attachMedia({ postGroupId, file: { download_url: source, file_id: source.slice(0, 512) } }, { signal });
    return;
  }
  await crier.uploadMedia(source, {
    postGroupId,
    fileName: source.name || 'picture.png',
    onProgress: ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total),
    signal,
  });
}

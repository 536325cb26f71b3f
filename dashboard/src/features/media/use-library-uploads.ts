import type { CompleteMediaResult } from '@crier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { describe } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { brandSignal } from '../../lib/brands/brand.ts';
import { isHevc, prepareFile, UnusableFileError } from '../../lib/files/prepare-file.ts';
import { keys } from '../../lib/query-keys.ts';

/** A file that is being uploaded to the library. */
export interface LibraryUpload {
  readonly id: string;
  readonly file: File;
  /** `hevc`: nothing was uploaded until the author decides. */
  readonly state: 'preparing' | 'hevc' | 'waiting' | 'uploading' | 'failed';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error: string | null;
  readonly canRetry: boolean;
}

export type UploadedFile = CompleteMediaResult['mediaFile'] & { readonly name: string };

export interface LibraryUploads {
  readonly list: readonly LibraryUpload[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  /** Uploads a failed file again, or an HEVC video after all. */
  retry(id: string): void;
}

type Action =
  | { type: 'add'; uploads: readonly LibraryUpload[] }
  | { type: 'change'; id: string; change: Partial<LibraryUpload> }
  | { type: 'remove'; id: string };

const together = 2;

/** Uploads files to the library, two at a time. */
export function useLibraryUploads(onUploaded?: (file: UploadedFile) => void): LibraryUploads {
  const client = useQueryClient();
  const [list, dispatch] = useReducer(reduce, []);
  const aborts = useRef(new Map<string, AbortController>());
  const report = useRef(onUploaded);
  report.current = onUploaded;
  const running = list.filter(({ state }) => state === 'uploading').length;
  const next = running < together ? list.find(({ state }) => state === 'waiting') : undefined;

  useEffect(() => {
    if (!next) return;
    const { id, file } = next;
    const abort = new AbortController();
    brandSignal().addEventListener('abort', () => abort.abort(), { signal: abort.signal });
    aborts.current.set(id, abort);
    const change = (to: Partial<LibraryUpload>) => dispatch({ type: 'change', id, change: to });
    change({ state: 'uploading', progress: 0, error: null });
    void upload(file, (progress) => change({ progress }), abort.signal).then(
      async (uploaded) => {
        await client.invalidateQueries({ queryKey: keys.media });
        report.current?.({ ...uploaded, name: file.name });
        dispatch({ type: 'remove', id });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) change({ state: 'failed', error: describe(error).message });
      },
    );
  }, [next, client]);

  const isBusy = list.some(({ state }) => state !== 'failed' && state !== 'hevc');
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isBusy]);

  const add = useCallback((files: readonly File[]) => {
    const uploads = files.map(begun);
    dispatch({ type: 'add', uploads });
    for (const { id, file } of uploads) void prepare(file).then((change) => dispatch({ type: 'change', id, change }));
  }, []);
  const remove = useCallback((id: string) => {
    aborts.current.get(id)?.abort();
    dispatch({ type: 'remove', id });
  }, []);
  const retry = useCallback((id: string) => dispatch({ type: 'change', id, change: { state: 'waiting' } }), []);
  return useMemo(() => ({ list, add, remove, retry }), [list, add, remove, retry]);
}

let count = 0;

function reduce(list: readonly LibraryUpload[], action: Action): readonly LibraryUpload[] {
  switch (action.type) {
    case 'add':
      return [...list, ...action.uploads];
    case 'change':
      return list.map((upload) => (upload.id === action.id ? { ...upload, ...action.change } : upload));
    case 'remove':
      return list.filter(({ id }) => id !== action.id);
  }
}

function begun(file: File): LibraryUpload {
  count += 1;
  return { id: `library-upload-${count}`, file, state: 'preparing', progress: 0, error: null, canRetry: true };
}

/** Converts what networks can't read. A file that can't be converted isn't uploaded. */
async function prepare(given: File): Promise<Partial<LibraryUpload>> {
  try {
    const file = await prepareFile(given);
    return { file, state: (await isHevc(file).catch(() => false)) ? 'hevc' : 'waiting' };
  } catch (error) {
    const message = error instanceof UnusableFileError ? error.message : describe(error).message;
    return { state: 'failed', error: message, canRetry: false };
  }
}

/** A file that was rejected or interrupted isn't kept in the library. */
const upload = (file: File, onProgress: (progress: number) => void, signal: AbortSignal) =>
  crier.uploadMedia(file, {
    fileName: file.name,
    onProgress: ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total),
    signal,
  });

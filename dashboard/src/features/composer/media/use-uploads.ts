import type { ListedMedia, UploadOptions } from '@crier/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { describe } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { canPlayHevc, hevcAdvice } from '../../../lib/files/hevc.ts';
import { thumbnailOf } from '../../../lib/files/media-path.ts';
import { isHevc, prepareFile } from '../../../lib/files/prepare-file.ts';
import { platformOf } from '../../../lib/platform-name.ts';
import { keys } from '../../../lib/query-keys.ts';
import type { Autosaver } from '../saving/autosaver.ts';
import type { AddedFile } from './staged-files.ts';

/** A file being uploaded. Once complete, the post lists it. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  readonly about: About;
  /** A local object URL, or the thumbnail of a file in the library. Null for files from a URL. */
  readonly previewUrl: string | null;
  readonly type: string;
  /** Nothing was uploaded if it is `refused`, because the browser can't prepare it, or `hevc`, until the author decides. */
  readonly state: 'preparing' | 'hevc' | 'waiting' | 'uploading' | 'failed' | 'refused';
  /** From 0 to 1. */
  readonly progress: number;
  readonly error: string | null;
}

/** A file, the URL of one, or a file in the library. */
export type Source = File | string | LibraryFile;
export type LibraryFile = Pick<ListedMedia, '_id' | 'fileName' | 'type' | 'url'> & { altText?: string | null };

export interface About {
  /** The channel whose separate files it belongs to. Default: the shared files. */
  readonly channel?: string;
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
  add(sources: readonly Source[], about?: About): void;
  cancel(id: string): void;
  /** Uploads a failed file again, or an HEVC video after all. */
  retry(id: string): void;
  /** Cancels all. */
  clear(): void;
}

type Action =
  | { type: 'add'; uploads: readonly Upload[] }
  | { type: 'change'; id: string; change: Partial<Upload> }
  | { type: 'remove'; id: string }
  | { type: 'clear' };

/** Where files go: into the post, or into the library, from where they are attached later. */
interface Target {
  readonly saver: Autosaver;
  /** Null: files go to the library. So do separate files of channels. */
  readonly postGroupId: string | null;
  /** Of the selected channels. */
  readonly platforms: readonly string[];
  onAdded(mediaId: string, source: File | LibraryFile): void;
  onStaged(file: AddedFile, about: About): void;
}

/** Uploads files one by one, so that they keep the order in which they were chosen. */
export function useUploads({ saver, postGroupId, platforms, onAdded, onStaged }: Target): Uploads {
  const client = useQueryClient();
  const [list, dispatch] = useReducer(reduce, []);
  const aborts = useRef(new Map<string, AbortController>());
  const isBusy = list.some(({ state }) => state === 'uploading');
  const first = list.find(({ state }) => state === 'waiting' || state === 'preparing');
  const next = isBusy || first?.state !== 'waiting' ? undefined : first;

  useEffect(() => {
    if (!next) return;
    const { id, source, about, previewUrl } = next;
    const abort = new AbortController();
    aborts.current.set(id, abort);
    dispatch({ type: 'change', id, change: { state: 'uploading', error: null } });
    const onProgress = (progress: number) => dispatch({ type: 'change', id, change: { progress } });
    const end = () => {
      dispatch({ type: 'remove', id });
      if (previewUrl?.startsWith('blob:')) URL.revokeObjectURL(previewUrl);
    };
    const fail = (error: unknown) =>
      abort.signal.aborted ||
      dispatch({ type: 'change', id, change: { state: 'failed', error: describe(error).message } });
    if (!postGroupId || about.channel) {
      void toLibrary(next, onProgress, abort.signal).then((file) => {
        if (abort.signal.aborted) return;
        onStaged(file, about);
        void client.invalidateQueries({ queryKey: keys.media });
        end();
      }, fail);
      return;
    }
    void send(next, { saver, postGroupId }, onProgress, abort.signal).then(
      async (mediaId) => {
        if (mediaId !== null && typeof source !== 'string') {
          if (about.onAttached) about.onAttached(mediaId);
          else onAdded(mediaId, source);
        }
        await client.invalidateQueries({ queryKey: keys.post(postGroupId) });
        end();
      },
      (error: unknown) => {
        void saver.changeFiles(() => discardUnfinished(next.name, postGroupId)).catch(() => undefined);
        fail(error);
      },
    );
  }, [next, saver, postGroupId, client, onAdded, onStaged]);

  const selected = useRef(platforms);
  selected.current = platforms;
  const add = useCallback(
    (sources: readonly Source[], about: About = {}) => {
      const uploads = sources.map((source) => uploadOf(source, about));
      dispatch({ type: 'add', uploads });
      const isPostReady = saver.ensurePost();
      for (const upload of uploads) {
        const platforms = about.channel ? [platformOf(about.channel)] : selected.current;
        void prepare(upload.source, platforms).then(async (change) => {
          await isPostReady;
          dispatch({ type: 'change', id: upload.id, change });
        });
      }
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
  const clear = useCallback(() => {
    for (const abort of aborts.current.values()) abort.abort();
    dispatch({ type: 'clear' });
  }, []);
  return useMemo(() => ({ list, add, cancel, retry, clear }), [list, add, cancel, retry, clear]);
}

function reduce(list: readonly Upload[], action: Action): readonly Upload[] {
  switch (action.type) {
    case 'add':
      return [...list, ...action.uploads];
    case 'change':
      return list.map((upload) => (upload.id === action.id ? { ...upload, ...action.change } : upload));
    case 'remove':
      return list.filter(({ id }) => id !== action.id);
    case 'clear':
      return [];
  }
}

let count = 0;

function uploadOf(source: Source, about: About): Upload {
  count += 1;
  const begun = { id: `upload-${count}`, source, about, state: 'preparing' as const, progress: 0, error: null };
  if (typeof source === 'string') {
    const name = source.replace(/[?#].*$/, '').replace(/^.*\//, '');
    return { ...begun, name, previewUrl: null, type: '' };
  }
  if (source instanceof File) {
    const isShown = /^(image|video)\//.test(source.type) && !/hei[cf]/i.test(source.type);
    const { name, type } = source;
    return { ...begun, name, previewUrl: isShown ? URL.createObjectURL(source) : null, type };
  }
  const { fileName: name, type, url } = source;
  return { ...begun, name, previewUrl: type === 'image' && url ? thumbnailOf(url) : null, type: `${type}/` };
}

/** Converts what networks can't read. A file that can't be converted isn't uploaded. */
async function prepare(source: Source, platforms: readonly string[]): Promise<Partial<Upload>> {
  if (!(source instanceof File)) return { state: 'waiting' };
  try {
    const file = await prepareFile(source);
    const isQuestion = (await isHevc(file).catch(() => false)) && hevcAdvice(platforms, canPlayHevc()).kind !== 'fine';
    return { source: file, name: file.name, state: isQuestion ? 'hevc' : 'waiting' };
  } catch (error) {
    return { state: 'refused', error: error instanceof Error ? error.message : String(error) };
  }
}

/** A file that the post gets later. Only new ones are sent, and none of an address. */
async function toLibrary(
  { source, name }: Upload,
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<AddedFile> {
  if (typeof source === 'string') return { source: { link: source }, name, type: null, url: null, altText: '' };
  const file =
    source instanceof File
      ? await crier.uploadMedia(source, {
          fileName: source.name || 'picture.png',
          onProgress: ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total),
          signal,
        })
      : source;
  return { source: { mediaId: file._id }, name, type: file.type, url: file.url, altText: file.altText ?? '' };
}

/** Returns the attached file's ID. Null for files from a URL. */
async function send(
  { source, about }: Upload,
  { saver, postGroupId }: { saver: Autosaver; postGroupId: string },
  onProgress: (progress: number) => void,
  signal: AbortSignal,
): Promise<string | null> {
  if (typeof source === 'string') {
    await crier.attachMedia({ postGroupId, file: { download_url: source, file_id: source.slice(0, 512) } }, { signal });
    // Saving doesn't wait while the service downloads the file.
    await saver.changeFiles(async () => undefined);
    return null;
  }
  if (!(source instanceof File)) {
    return saver.changeFiles(async () => {
      const { mediaIds } = await crier.attachFromLibrary({ postGroupId, mediaIds: [source._id] }, { signal });
      const mediaId = mediaIds[0]!;
      if (about.altText) await crier.updateMedia({ mediaId, altText: about.altText });
      await takePlace(mediaId, postGroupId, about);
      return mediaId;
    });
  }
  const mediaId = await upload(saver, source, {
    postGroupId,
    fileName: source.name || 'picture.png',
    altText: about.altText,
    onProgress: ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total),
    signal,
  });
  await saver.changeFiles(() => takePlace(mediaId, postGroupId, about));
  return mediaId;
}

/** Saving waits until the file is registered, because that changes the post, but not for the bytes. */
const upload = (saver: Autosaver, source: File, options: UploadOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const register = () =>
      new Promise<void>((onRegistered) => {
        const onProgress: UploadOptions['onProgress'] = (progress) => {
          onRegistered();
          options.onProgress?.(progress);
        };
        crier
          .uploadMedia(source, { ...options, onProgress })
          .then(({ _id }) => resolve(_id), reject)
          .finally(onRegistered);
      });
    void saver.changeFiles(register);
  });

/** An incomplete upload leaves a record among the files that would block publishing. */
async function discardUnfinished(name: string, postGroupId: string) {
  const { media } = await crier.getPost({ postGroupId });
  const left = media.filter(({ sourceFileName, status }) => sourceFileName === name && status === 'uploading');
  for (const { mediaId } of left) await crier.deleteMedia({ mediaId });
}

/** Moves the new file before the one it replaces and then deletes that one, so that no file is missing at any time. */
async function takePlace(mediaId: string, postGroupId: string, { at, replaces }: About) {
  if (at === undefined && replaces === undefined) return;
  const media = (await crier.getPost({ postGroupId })).media.filter((file) => file.mediaId !== mediaId);
  const others = media.filter(({ shared }) => shared).map((file) => file.mediaId);
  const separate = media.filter(({ shared }) => !shared).map((file) => file.mediaId);
  const index = replaces === undefined ? at! : others.indexOf(replaces);
  if (index >= 0 && index < others.length) {
    await crier.reorderMedia({ postGroupId, mediaIds: [...others.toSpliced(index, 0, mediaId), ...separate] });
  }
  if (replaces !== undefined && others.includes(replaces)) await crier.deleteMedia({ mediaId: replaces });
}

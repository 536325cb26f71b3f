/** A file: its bytes, or its path in Node, Bun and Deno. */
export type UploadSource = Blob | Uint8Array<ArrayBuffer> | string;

export interface UploadFile {
  blob: Blob;
  name: string;
  type: string;
}

type OnProgress = (progress: { loaded: number; total: number }) => void;

export async function readSource(
  source: UploadSource,
  { fileName, contentType }: { fileName?: string | undefined; contentType?: string | undefined },
): Promise<UploadFile> {
  const blob =
    typeof source === 'string' ? await openFile(source) : source instanceof Blob ? source : new Blob([source]);
  const ownName = typeof source === 'string' ? source.replace(/^.*[\\/]/, '') : (blob as File).name;
  const name = fileName ?? ownName ?? 'file';
  return { blob, name, type: contentType ?? (blob.type || typeOf(name)) };
}

interface FileSystem {
  openAsBlob?(path: string): Promise<Blob>;
  promises: { readFile(path: string): Promise<Uint8Array<ArrayBuffer>> };
}

/** Bundlers for browsers must not resolve the module. */
async function openFile(path: string): Promise<Blob> {
  const module = 'node:fs';
  const fs = (await import(/* @vite-ignore */ /* webpackIgnore: true */ module)) as FileSystem;
  return fs.openAsBlob ? fs.openAsBlob(path) : new Blob([await fs.promises.readFile(path)]);
}

const types: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  avi: 'video/x-msvideo',
  pdf: 'application/pdf',
};

const typeOf = (name: string) => types[name.replace(/^.*\./, '').toLowerCase()] ?? 'application/octet-stream';

/** Sends the file to its signed URL. Without progress events, the runtime chooses how to send it. */
export async function put(
  fetch: typeof globalThis.fetch,
  url: string,
  { blob, type }: UploadFile,
  { onProgress, ...given }: RequestInit & { onProgress?: OnProgress | undefined },
): Promise<Response> {
  const headers = { 'content-type': type };
  const [init, total] = [{ ...given, headers }, blob.size];
  if (!onProgress) return fetch(url, { ...init, body: blob });
  onProgress({ loaded: 0, total });
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => BrowserRequest };
  if (XMLHttpRequest) return putInBrowser(new XMLHttpRequest(), url, blob, { type, onProgress, signal: given.signal });
  let shown = 0;
  const show = (loaded: number) => {
    shown = loaded;
    onProgress({ loaded, total });
  };
  // Node takes the length from the header. Other runtimes would send a stream without a length, which storage rejects.
  const body = isNode()
    ? { headers: { ...headers, 'content-length': String(total) }, duplex: 'half' as const, body: counted(blob, show) }
    : { body: blob };
  const response = await fetch(url, { ...init, ...body });
  if (response.ok && shown < total) show(total);
  return response;
}

const pieceBytes = 64 * 1024;

/**
 * Streams the bytes in small chunks. A chunk counts as sent when the next one is pulled: then the connection has taken
 * it.
 */
function counted(blob: Blob, show: (loaded: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> {
  async function* pieces() {
    const reader = blob.stream().getReader();
    try {
      for (let loaded = 0; ; ) {
        // A file yields one small chunk, bytes in memory yield everything.
        const { value } = await reader.read();
        if (!value) return;
        for (let at = 0; at < value.byteLength; at += pieceBytes) {
          const piece = value.subarray(at, at + pieceBytes);
          yield piece;
          loaded += piece.byteLength;
          show(loaded);
        }
      }
    } finally {
      await reader.cancel();
    }
  }
  const left = pieces();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    const { value } = await left.next();
    if (value) controller.enqueue(value);
    else controller.close();
  };
  const cancel = async () => void (await left.return());
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

function isNode(): boolean {
  const { process, Bun, Deno } = globalThis as {
    process?: { versions?: { node?: string } };
    Bun?: unknown;
    Deno?: unknown;
  };
  return process?.versions?.node !== undefined && !Bun && !Deno;
}

interface BrowserUpload {
  type: string;
  onProgress: OnProgress;
  signal: AbortSignal | null | undefined;
}

/** The used part of `XMLHttpRequest`, the only API in browsers that reports upload progress. */
interface BrowserRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  onloadend: (() => void) | null;
  readonly status: number;
  readonly responseText: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Blob): void;
  abort(): void;
}

function putInBrowser(
  request: BrowserRequest,
  url: string,
  blob: Blob,
  { type, onProgress, signal }: BrowserUpload,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded }) => onProgress({ loaded, total: blob.size });
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }));
    request.onerror = () => reject(new TypeError('the upload was interrupted'));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.open('PUT', url);
    request.setRequestHeader('content-type', type);
    request.send(blob);
    if (signal?.aborted) abort();
  });
}

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

/** Bundlers for browsers must not look for the module. */
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

/** Sends the file to its signed address. Without progress events the runtime sends it as it likes. */
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
  // Node takes the length from the header; others would send a stream without one, which storage refuses.
  if (!isNode()) {
    const response = await fetch(url, { ...init, body: blob });
    if (response.ok) onProgress({ loaded: total, total });
    return response;
  }
  let loaded = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      controller.enqueue(chunk);
      onProgress({ loaded, total });
    },
  });
  const streamed = { ...init, headers: { ...headers, 'content-length': String(total) }, duplex: 'half' as const };
  return fetch(url, { ...streamed, body: blob.stream().pipeThrough(counted) });
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

/** What is used of `XMLHttpRequest`: in browsers, only it tells how much has been sent. */
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

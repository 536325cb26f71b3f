import { Api } from './api.gen.ts';
import { CrierError, TimeoutError } from './errors.ts';
import type { Call, CallOptions } from './operations.ts';
import { type Attempts, requireType, send } from './request.ts';
import { sleep } from './sleep.ts';
import type { CompleteMediaResult, PostGroup } from './types.gen.ts';
import { put, readSource, type UploadFile, type UploadSource } from './upload.ts';

export interface CrierOptions {
  /** The address of the service, with or without `/api/v1`. */
  baseUrl: string;
  /** An API key, `sk_…`. Keep it on a server: in a browser use a session. */
  apiKey?: string | undefined;
  /** The `accessToken` of a session, for the routes of the dashboard. */
  accessToken?: string | undefined;
  /** The managed user to act for. */
  userId?: string | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Default 3. A request is retried only if a retry cannot take effect twice. */
  maxRetries?: number;
  /** Timeout of one attempt. Default: two minutes. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

export interface UploadOptions {
  /** The post to which the file is attached. Default: none, the file is stored in the library. */
  postGroupId?: string | undefined;
  /** Default: the name of the file. */
  fileName?: string | undefined;
  /** Default: the type of the file, or the type for its extension. */
  contentType?: string | undefined;
  /** Describes the file for people who cannot see it. */
  altText?: string | undefined;
  onProgress?: ((progress: { loaded: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface WaitOptions {
  /** Default: 20 minutes. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/** A client for the API of a Crier service. */
export class Crier extends Api {
  readonly #options: CrierOptions;
  readonly #baseUrl: string;

  constructor(options: CrierOptions) {
    super();
    this.#options = options;
    this.#baseUrl = `${options.baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
  }

  /**
   * Uploads a file to a post or to the library: gets an upload URL, sends the bytes, and has the service check them. A
   * file that cannot be uploaded or is not accepted is not kept in the library.
   */
  async uploadMedia(
    source: UploadSource,
    { postGroupId, fileName, contentType, altText, onProgress, signal }: UploadOptions = {},
  ): Promise<CompleteMediaResult['mediaFile']> {
    const file = await readSource(source, { fileName, contentType });
    const address = { fileName: file.name, contentType: file.type, ...(altText && { altText }) };
    const { uploadUrl, mediaId } = await (postGroupId === undefined
      ? this.uploadToLibrary(address, { signal })
      : this.getUploadUrl({ ...address, postGroupId }, { signal }));
    const sent = this.#sendFile(uploadUrl, file, { onProgress, signal }).then(() =>
      this.completeMedia({ mediaFileId: mediaId }, { signal }),
    );
    const { mediaFile } = await sent.catch(async (error: unknown) => {
      if (postGroupId === undefined) await this.deleteMedia({ mediaId }).catch(() => undefined);
      throw error;
    });
    return mediaFile;
  }

  async #sendFile(
    uploadUrl: string,
    file: UploadFile,
    { onProgress, signal }: Pick<UploadOptions, 'onProgress' | 'signal'>,
  ) {
    const attempts = {
      ...this.#attempts({ signal }, { method: 'PUT', path: '' }),
      timeoutMs: null,
      isRepeatable: true,
    };
    // An attempt without an answer may have stored the file, which the service takes only once.
    let mayBeStored = false;
    const sent = async (url: string | URL | Request, init?: RequestInit) => {
      const before = mayBeStored;
      mayBeStored = true;
      const response = await put(this.#fetch, String(url), file, { ...init, onProgress });
      mayBeStored = before || response.ok || [502, 504].includes(response.status);
      return response;
    };
    await send(
      uploadUrl,
      () => ({ method: 'PUT' }),
      { ...attempts, fetch: sent },
      async (response) => response.text(),
    ).catch((error: unknown) => {
      if (mayBeStored && error instanceof CrierError && error.code === 'FILE_ALREADY_UPLOADED') return;
      throw error;
    });
  }

  /** Resolves with the post once all its targets are published or failed. By default, it waits for all attempts. */
  async waitUntilPublished(
    postGroupId: string,
    { timeoutMs = 1_200_000, signal }: WaitOptions = {},
  ): Promise<PostGroup> {
    const deadline = Date.now() + timeoutMs;
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, 5_000)) {
      const post = await this.getPost({ postGroupId }, { signal });
      if (ended.includes(post.status)) return post;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) {
        const about = `The post ${postGroupId} is still ${post.status} after ${timeoutMs / 1000} s.`;
        throw new TimeoutError(about, { code: 'WAIT_TIMEOUT' });
      }
      await sleep(Math.min(pauseMs, leftMs), signal);
    }
  }

  protected call<Body>(call: Call, input: object, options: CallOptions): Promise<Body> {
    const request = this.#request(call, input, options);
    const attempts = this.#attempts(options, call);
    return send(request.url, request.init, attempts, async (response) => {
      const { answers = 'application/json' } = call;
      await requireType(response, answers);
      if (answers === 'application/json') return (await response.json()) as Body;
      return (answers.startsWith('image/') ? await response.blob() : await response.text()) as Body;
    });
  }

  protected open(call: Call, input: object, options: CallOptions, lastEventId?: string): Promise<Response> {
    const { url, init } = this.#request(call, input, options, lastEventId ? { 'last-event-id': lastEventId } : {});
    return send(url, init, { ...this.#attempts(options, call), timeoutMs: null }, async (response) => {
      await requireType(response, 'text/event-stream');
      return response;
    });
  }

  get #fetch(): typeof globalThis.fetch {
    return this.#options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  #attempts({ signal }: CallOptions, { method, keyed }: Call): Attempts {
    const { maxRetries = 3, timeoutMs = 120_000 } = this.#options;
    const isKeyed = keyed !== undefined;
    return { fetch: this.#fetch, maxRetries, timeoutMs, signal, isKeyed, isRepeatable: isKeyed || method === 'GET' };
  }

  #request({ method, path, query = [], keyed, form }: Call, input: object, options: CallOptions, more = {}) {
    const fields = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined));
    const take = (name: string) => {
      const value = fields.get(name);
      fields.delete(name);
      return value;
    };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(take(name))));
    const search = new URLSearchParams();
    for (const name of query) if (fields.has(name)) search.set(name, String(take(name)));
    const key = keyed === 'request' ? (take('idempotencyKey') ?? options.idempotencyKey ?? crypto.randomUUID()) : null;
    const { apiKey, accessToken, userId, headers: always } = this.#options;
    const actAs = options.userId ?? userId;
    const isJson = fields.size > 0 && !form;
    const headers: Record<string, string> = {
      ...always,
      ...(apiKey && { 'x-service-key': apiKey }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(actAs && { 'x-service-user-id': actAs }),
      ...(key !== null && { 'idempotency-key': String(key) }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...more,
    };
    const body = form ? formOf(fields) : isJson ? JSON.stringify(Object.fromEntries(fields)) : null;
    const queryText = String(search);
    // Every attempt sends the same key and the same bytes.
    return {
      url: this.#baseUrl + filled + (queryText && `?${queryText}`),
      init: (): RequestInit => ({ method, headers, body }),
    };
  }
}

const ended = ['published', 'failed', 'partially_published'];

/** Files come last: the service needs the other fields first. */
function formOf(fields: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  const isFile = (value: unknown) => value instanceof Blob;
  const sorted = [...fields].sort(([, a], [, b]) => Number(isFile(a)) - Number(isFile(b)));
  for (const [name, value] of sorted) form.append(name, value instanceof Blob ? value : String(value));
  return form;
}

import type { core, output, ZodObject } from 'zod';
import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import type { PlatformName } from './description.ts';
import { PlatformError } from './failure.ts';
import type { Application, PlatformClient } from './platform.ts';

/** A credential that must never be shown. Never empty: a lost secret must not look like a stored one. */
export const secret = () => z.string().min(1).meta({ secret: true });

/** The values of a connection's `secret()` fields. */
export function secretsOf<C extends ZodObject>(schema: C, credentials: output<C>): string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => isSecret(field))
    .map(([name]) => (credentials as Record<string, unknown>)[name])
    .filter((value) => typeof value === 'string');
}

/** Also one that may be missing: `secret().nullable()` marks the text inside. */
function isSecret(field: core.$ZodType): boolean {
  if (z.globalRegistry.get(field)?.secret === true) return true;
  const wraps = field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault;
  return wraps && isSecret(field.unwrap());
}

/** The real network, or the sandbox that plays it. */
export interface PlatformAccess {
  fetch: typeof fetch;
  /** Where a network's address is to be found: itself, or its place in the sandbox. */
  route(url: URL): URL;
  timeoutMs: number;
  now(): Date;
  /** Our OAuth applications, by network. */
  applications: Readonly<Partial<Record<PlatformName, Application>>>;
}

/** What an adapter gets to reach the world with. Every failure of the connection itself comes out as a PlatformError. */
export function platformClient(
  access: PlatformAccess,
  platform: PlatformName,
  signal: AbortSignal,
  credentials: readonly string[] = [],
): PlatformClient {
  const application = access.applications[platform];
  const secrets = application ? [...credentials, application.secret] : credentials;
  return {
    signal,
    now: access.now,
    application() {
      if (application) return application;
      const names = ['CLIENT_ID', 'CLIENT_SECRET'].map((name) => `${platform.toUpperCase()}_${name}`);
      throw new PlatformError(
        'rejected',
        `This service has no application for ${platform}: set ${names.join(' and ')}.`,
      );
    },
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      const stops = init?.signal ? [signal, init.signal] : [signal];
      if (stops.some(({ aborted }) => aborted)) {
        throw new PlatformError('network', `Stopped before ${url.host} was asked.`);
      }
      const limit = timeLimit(access.timeoutMs + uploadMs(init?.body), stops);
      const failed = (error: unknown) => connectionFailure(error, url.host, limit.isOver(), secrets);
      try {
        const target = access.route(url);
        // Only what came as a Request is wrapped in one: that turns its body into a stream without a Content-Length,
        // which some servers refuse.
        const request = input instanceof Request ? new Request(target, input) : target;
        const response = await access.fetch(request, { ...init, signal: limit.signal });
        return guardBody(response, failed, limit.lift);
      } catch (error) {
        limit.lift();
        throw failed(error);
      }
    },
  };
}

/** Aborts after a while, or with one of the others. To be lifted when all is over: a signal with a timer lives as long as it. */
function timeLimit(ms: number, others: readonly AbortSignal[]) {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    isOver = true;
    abort();
    lift();
  }, ms).unref();
  for (const other of others) other.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, isOver: () => isOver, lift };

  function lift() {
    clearTimeout(timer);
    for (const other of others) other.removeEventListener('abort', abort);
  }
}

/** A large file takes as long as a slow line needs for it: a quarter of a megabyte a second. */
const uploadMs = (body: unknown) => Math.ceil(sizeOf(body) / 262);

function sizeOf(body: unknown): number {
  if (body instanceof Blob) return body.size;
  if (!(body instanceof FormData)) return 0;
  return [...body.values()].reduce((sum, value) => sum + (value instanceof Blob ? value.size : 0), 0);
}

const readers = ['text', 'arrayBuffer', 'bytes', 'blob', 'formData'] as const;

/** The same answer, whose body, too, fails only with a PlatformError: a connection can break in the middle of it. */
function guardBody(response: Response, failed: (error: unknown) => PlatformError, ended: () => void): Response {
  const { body } = response;
  if (!body) {
    ended();
    return response;
  }
  for (const name of readers) {
    const read: () => Promise<unknown> = response[name].bind(response);
    const value = () => read().catch(fail).finally(ended);
    Object.defineProperty(response, name, { value });
  }
  return Object.defineProperties(response, {
    json: { value: async () => JSON.parse(await response.text()) },
    // Made when wanted: a stream of our own costs more than all the rest of a small answer.
    body: { get: () => Object.defineProperty(ReadableStream.from(chunks(body)), 'cancel', { value: cancel }) },
  });

  /** Of a stream that nobody has begun to read, nothing else reaches the network's. */
  function cancel(reason?: unknown) {
    ended();
    return body?.cancel(reason);
  }

  function fail(error: unknown): never {
    throw failed(error);
  }
  async function* chunks(stream: ReadableStream<Uint8Array>) {
    try {
      yield* stream;
    } catch (error) {
      fail(error);
    } finally {
      ended();
    }
  }
}

/** Nothing was sent yet when one of these happens, so the network cannot have accepted anything. */
const neverLeft = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function connectionFailure(error: unknown, host: string, timedOut: boolean, secrets: readonly string[]): PlatformError {
  if (error instanceof PlatformError) return error;
  const { code, message } = rootOf(error);
  const reason = redact(code ? `${code}: ${message}` : message, secrets);
  // What the runtime says then, that something was aborted, is not the network's word.
  if (timedOut) return new PlatformError('timeout', `${host} did not answer in time.`);
  if (code && neverLeft.has(code)) return new PlatformError('network', `Could not reach ${host}.`, { reason });
  if (neverSent(error)) return new PlatformError('network', `Could not reach ${host}: ${message}`, { reason });
  return new PlatformError('network', `The connection to ${host} broke.`, { reason, mayHaveHappened: true });
}

/** The egress guard says by itself whether anything had left when it failed or refused. */
const neverSent = (error: unknown) => error instanceof Error && 'sent' in error && error.sent === false;

/** fetch says "fetch failed"; what happened is in the cause. */
function rootOf(error: unknown): { code: string | null; message: string } {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { code, message: error.message };
}

import type { core, output, ZodObject } from 'zod';
import { z } from 'zod';
import { redact } from '../../../foundation/lib/redact.ts';
import type { Application, PlatformClient } from '../context.ts';
import { PlatformError } from '../failure.ts';
import { messages } from '../messages.ts';
import { searchTimeLeft } from '../search-time.ts';
import { maxListBytes, maxTokenLength } from './answer-bounds.ts';
import { guardBody } from './guard-body.ts';

/** A credential that must never be shown. Never empty, because a lost secret must not look like a stored one. */
export const secret = () => z.string().max(maxTokenLength).min(1).meta({ secret: true });

/** The values of a connection's `secret()` fields. */
export function secretsOf<C extends ZodObject>(schema: C, credentials: output<C>): string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => isSecret(field))
    .map(([name]) => (credentials as Record<string, unknown>)[name])
    .filter((value) => typeof value === 'string');
}

/** Includes optional fields: `secret().nullable()` marks the inner text. */
function isSecret(field: core.$ZodType): boolean {
  if (z.globalRegistry.get(field)?.secret === true) return true;
  const wraps = field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault;
  return wraps && isSecret(field.unwrap());
}

/** Access to the real platforms, or to the sandbox that simulates them. */
export interface PlatformAccess {
  fetch: typeof fetch;
  /** Maps a platform's URL to the one to call: the same URL, or its place in the sandbox. */
  route(url: URL): URL;
  timeoutMs: number;
  now(): Date;
  /** This service's OAuth applications, by platform. */
  applications: Readonly<Partial<Record<string, Application>>>;
  /** The operator's options, by platform and name. */
  options?: Readonly<Partial<Record<string, PlatformClient['options']>>>;
}

/** The client that an adapter uses to call its platform. Every connection failure is a PlatformError. */
export function platformClient(
  access: PlatformAccess,
  platform: string,
  signal: AbortSignal,
  credentials: readonly string[] = [],
): PlatformClient {
  const application = access.applications[platform];
  const secrets = application ? [...credentials, application.secret] : credentials;
  const clock = platformClock(access.now);
  return {
    signal,
    now: access.now,
    platformTime: clock.timeOf,
    options: access.options?.[platform] ?? {},
    application() {
      if (application) return application;
      const variables = ['CLIENT_ID', 'CLIENT_SECRET'].map((name) => `${platform.toUpperCase()}_${name}`);
      throw new PlatformError('rejected', messages.applicationMissing(platform, variables));
    },
    async fetch(input, { maxAnswerBytes = maxListBytes, ...init } = {}) {
      const url = new URL(input instanceof Request ? input.url : input);
      const stops = init.signal ? [signal, init.signal] : [signal];
      if (stops.some(({ aborted }) => aborted)) throw new PlatformError('network', messages.stopped(url.host));
      const msLeft = Math.min(access.timeoutMs + uploadMs(init.body), searchTimeLeft(access.timeoutMs));
      if (msLeft <= 0) throw new PlatformError('timeout', messages.timedOut(url.host));
      const limit = timeLimit(msLeft, stops);
      const failed = (error: unknown) => connectionFailure(error, url.host, limit.isOver(), secrets);
      try {
        const target = access.route(url);
        // A Request turns its body into a stream without a Content-Length, which some servers refuse. So wrap nothing
        // else in one.
        const request = input instanceof Request ? new Request(target, input) : target;
        const response = await access.fetch(request, { ...init, signal: limit.signal });
        clock.read(response.headers.get('date'));
        return guardBody(response, { host: url.host, maxBytes: maxAnswerBytes, failed, ended: limit.lift });
      } catch (error) {
        limit.lift();
        throw failed(error);
      }
    },
  };
}

/** The assumed maximum lag of a platform that does not report its time. */
const unknownLagMs = 60_000;

/**
 * The platform's clock, as reported in its responses. A response takes time to arrive, so the difference is a lower
 * bound.
 */
function platformClock(now: () => Date) {
  let aheadMs = -unknownLagMs;
  return {
    read(date: string | null) {
      const time = Date.parse(date ?? '');
      if (!Number.isNaN(time)) aheadMs = time - now().getTime();
    },
    // Many platforms date their posts in whole seconds.
    timeOf: (at: Date | number) => Math.floor((Number(at) + aheadMs) / 1000) * 1000,
  };
}

/**
 * Aborts after `ms`, or with one of the others. Call `lift` when the request has ended, or the timer and signal stay
 * alive.
 */
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

/** Allows uploads the time that a slow connection needs: a quarter of a megabyte a second. */
const uploadMs = (body: unknown) => Math.ceil(sizeOf(body) / 262);

function sizeOf(body: unknown): number {
  if (body instanceof Blob) return body.size;
  if (!(body instanceof FormData)) return 0;
  return [...body.values()].reduce((sum, value) => sum + (value instanceof Blob ? value.size : 0), 0);
}

/** These happen before anything is sent, so the platform cannot have accepted anything. */
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
  // The runtime only reports an abort, so there is no reason to show.
  if (timedOut) return new PlatformError('timeout', messages.timedOut(host));
  if ((code && neverLeft.has(code)) || neverSent(error)) {
    return new PlatformError('network', messages.unreachable(host), { reason });
  }
  return new PlatformError('network', messages.connectionLost(host), { reason, mayHaveHappened: true });
}

/** The egress guard marks whether anything had been sent when it failed or refused. */
const neverSent = (error: unknown) => error instanceof Error && 'sent' in error && error.sent === false;

/** `fetch` itself only reports "fetch failed". The actual error is in the cause. */
function rootOf(error: unknown): { code: string | null; message: string } {
  if (!(error instanceof Error)) return { code: null, message: String(error) };
  if (error.cause instanceof Error) return rootOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { code, message: error.message };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { shorten } from '../../foundation/text/shorten.ts';

export type LoggedHeaders = Record<string, string>;

/** The only headers that are stored. None of them contains credentials, cookies or an address of a page. */
const ofRequest = [
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'last-event-id',
  'origin',
  'user-agent',
  'x-service-client',
  'x-service-user-id',
];
const ofResponse = [
  'content-length',
  'content-type',
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];

const maxValueLength = 200;

export const requestHeaders = ({ headers }: FastifyRequest): LoggedHeaders =>
  listed(ofRequest, (name) => headers[name]);

export const responseHeaders = (reply: FastifyReply): LoggedHeaders =>
  listed(ofResponse, (name) => reply.getHeader(name));

function listed(names: readonly string[], read: (name: string) => unknown): LoggedHeaders {
  const found: LoggedHeaders = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) found[name] = shorten(withoutSecrets(String(value)), maxValueLength);
  }
  return found;
}

/** API keys, and long words that may be a token, in a place where no client should put them. */
const secret =
  /\bwhsec_[\w+/=-]+|\bsk_\w+\.\w+|\bat_[\w-]{43}|\b(?:bearer|basic)\s+\S+|(?<![\w-])[\w-]{40,}(?![\w-])/gi;

export const withoutSecrets = (text: string): string =>
  // PostgreSQL stores no null characters.
  text.replaceAll('\0', '').replace(secret, '[secret]');

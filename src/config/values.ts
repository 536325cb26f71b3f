import { isIP } from 'node:net';
import { z } from 'zod';
import { parseDatabaseUrl } from '../foundation/lib/database-url.ts';
import { type MailAddress, type MailServer, parseMailAddress, parseMailUrl } from '../foundation/lib/mail-url.ts';

/**
 * Schemas for the values of environment variables. An error text follows the variable's name and says how to fix it.
 */

export type Role = 'api' | 'worker';

export function rateFactor() {
  return z
    .string()
    .default('1')
    .transform((text) => (text.trim() === 'off' ? null : Number(text)))
    .refine((factor) => factor === null || factor > 0, 'must be off or a number above 0');
}

export function share() {
  const wrong = 'is not a fraction: write a number from 0 to 1';
  return z.coerce.number({ error: wrong }).min(0, wrong).max(1, wrong).default(1);
}

export function port() {
  const wrong = 'is not a port: write a number from 0 to 65535';
  return z.coerce.number({ error: wrong }).int(wrong).min(0, wrong).max(65535, wrong);
}

export function seconds(most: number) {
  const wrong = `is not a number of seconds from 0 to ${most}`;
  return z.coerce.number({ error: wrong }).min(0, wrong).max(most, wrong);
}

export function url() {
  return z
    .url({ protocol: /^https?$/, error: 'is not a URL: write it like https://crier.example.com' })
    .transform((value) => value.replace(/\/+$/, ''));
}

export function oneOf<const Values extends readonly string[]>(values: Values, standard: Values[number] | undefined) {
  const schema = z.enum(values, { error: `is not one of ${values.join(', ')}` });
  return standard === undefined ? schema : schema.default(standard as never);
}

export function roles() {
  return list(z.enum(['api', 'worker'], { error: 'has an unknown role: use api, worker or both' }))
    .default(['api', 'worker'])
    .transform((found) => found as Role[]);
}

/** A subset of these networks. Default: all. */
export function networks(ids: readonly string[]) {
  const error = `has an unknown network: use any of ${ids.join(', ')}, separated by commas`;
  return list(z.enum(ids, { error })).default([...ids]);
}

export function origins() {
  return list(
    z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value, {
      error: 'contains something that is not an origin: write https://app.example.com, without a path',
    }),
  ).default([]);
}

export function proxies() {
  return list(
    z.string().refine(isAddressOrRange, {
      error:
        'contains something that is not an IP address or range: write 127.0.0.1, 10.0.0.0/8 or fd00::/8, not a range of all addresses',
    }),
  ).default([]);
}

export function places() {
  const place = /^([\w.-]+|\[[\da-f:.]+\]):[1-9]\d*$/i;
  return list(
    z.string().refine((value) => place.test(value) && URL.canParse(`http://${value}`), {
      error: 'contains something that is not host:port: write hooks.example.com:8080, 10.0.0.5:443 or [fd00::5]:443',
    }),
  ).default([]);
}

export function database() {
  return z.string().superRefine((value, context) => {
    const found = parseDatabaseUrl(value.trim());
    if (typeof found === 'string') context.addIssue({ code: 'custom', message: found });
  });
}

export function mailServer() {
  return z.string().transform((value, context): MailServer => {
    const found = parseMailUrl(value.trim());
    if (typeof found !== 'string') return found;
    context.addIssue({ code: 'custom', message: found });
    return z.NEVER;
  });
}

export function mailSender() {
  return z.string().transform((value, context): MailAddress => {
    const found = parseMailAddress(value);
    if (found) return found;
    context.addIssue({ code: 'custom', message: 'is not a sender: write Crier <crier@example.com>' });
    return z.NEVER;
  });
}

export function secretKeys() {
  return list(
    z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'contains a key that is not 64 hex digits: generate one with openssl rand -hex 32'),
  );
}

function list(schema: z.ZodType<string>) {
  return z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value),
    z.array(schema),
  );
}

/** Refuses a range that covers all addresses: any caller could then spoof its address. */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

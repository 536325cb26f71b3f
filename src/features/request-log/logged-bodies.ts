import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { withoutSecrets } from './logged-headers.ts';

export const bodyLimits = {
  /** Bodies are stored for this long after a person asked for it. */
  storingMs: 3_600_000,
  keptMs: 86_400_000,
  /** Characters of one body. */
  length: 65_536,
  /** Characters of all stored bodies of one user. Beyond it, bodies are not stored. */
  perUser: 10_000_000,
  /** Characters that wait in this process to be stored. */
  waiting: 16_000_000,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The bodies of a call that are to be stored. */
    loggedRequestBody?: unknown;
    loggedResponseBody?: string;
  }
}

/** Notes the bodies of calls whose key's user stores bodies. Others cost a comparison. */
export function noteBodies(server: Server, { clock }: Pick<App, 'clock'>) {
  const stores = (until: Date | null | undefined) => until != null && until > clock.now();
  // Validation replaces the body with what Crier understood of it.
  server.addHook('preValidation', (request, _reply, done) => {
    if (stores(request.keyHolder?.bodiesUntil)) request.loggedRequestBody = request.body;
    done();
  });
  server.addHook('onSend', (request, _reply, payload, done) => {
    if (typeof payload === 'string' && payload !== '' && stores(request.keyHolder?.bodiesUntil))
      request.loggedResponseBody = payload;
    done(null, payload);
  });
}

/** One that begins before the cut is hidden as a whole. */
const longestSecret = 1_000;

/** A body as text, without secrets. Null if there is none, or if it is a file. */
export function loggedBody(body: unknown): string | null {
  if (body === undefined || body === null || Buffer.isBuffer(body)) return null;
  // No more is kept of a body, so no more of it is searched for secrets.
  let leftLength = bodyLimits.length;
  const shortened = (name: string, value: unknown): unknown => {
    if (leftLength <= 0) return undefined;
    const hidden = hideSecret(name, typeof value === 'string' ? value.slice(0, leftLength + 1) : value);
    leftLength -= 1 + (typeof hidden === 'string' ? hidden.length : 0);
    return hidden;
  };
  const json = JSON.stringify(parsed(body), shortened) ?? '';
  const text = withoutSecrets(json.slice(0, bodyLimits.length + longestSecret));
  return text.length > bodyLimits.length ? `${text.slice(0, bodyLimits.length)}… [cut]` : text;
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const secretName = /secret|passw|token|authorization|cookie|credential|api_?key$|raw_?key|signature|jwt|verifier/i;

/** In a field with such a name, everything is secret. */
const hideSecret = (name: string, value: unknown): unknown => {
  if (value !== null && secretName.test(name)) return '[secret]';
  return typeof value === 'string' ? withoutSecrets(withoutUrlSecrets(value)) : value;
};

/** Of `user:password@` and of parameters such as `token`. */
const withoutUrlSecrets = (text: string) =>
  text
    .replace(/(?<=:\/\/)[^\s/?#@]{1,500}(?=@)/g, '[secret]')
    .replace(
      /([?&][\w-]{0,50}?(?:secret|passw|token|signature|\bsig|key|code|credential)[\w-]{0,50}=)[^\s&#]+/gi,
      '$1[secret]',
    );

import { ConnectionError, CrierError, errorOf } from './errors.ts';
import { fetchWithinOrigin } from './same-origin.ts';
import { sleep } from './sleep.ts';
import type { Problem } from './types.gen.ts';

export interface Attempts {
  fetch: typeof fetch;
  /** Maximum number of retries. */
  maxRetries: number;
  /** Timeout of one attempt. Null: no timeout. */
  timeoutMs: number | null;
  signal: AbortSignal | undefined;
  /** A read, or a write whose retry the service recognizes. */
  isRepeatable: boolean;
  /** The service recognizes a retry of this write by its key. */
  isKeyed: boolean;
}

/** If the service asks for a longer wait, there is no retry: the caller decides. */
const maxDelaySeconds = 60;

/** Sends a request and retries it where that is safe. `read` extracts the result from a successful response. */
export async function send<T>(
  url: string,
  init: () => RequestInit,
  attempts: Attempts,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(url, init(), attempts, read);
    if ('value' in outcome) return outcome.value;
    const { error } = outcome;
    const waitSeconds = error.retryAfterSeconds ?? 0.5 * 2 ** retries * (1 + Math.random());
    if (retries >= attempts.maxRetries || waitSeconds > maxDelaySeconds || !canPass(error, attempts)) throw error;
    await sleep(waitSeconds * 1000, attempts.signal);
  }
}

/** Whether a retry may succeed and cannot take effect twice. */
function canPass({ status, code }: CrierError, { isRepeatable, isKeyed }: Attempts): boolean {
  // The service did nothing.
  if (status === 429 || status === 503 || code === 'IDEMPOTENCY_IN_FLIGHT') return true;
  // The response was lost: the write may or may not have happened.
  if (status === null || status === 502 || status === 504) return isRepeatable;
  return status === 500 && isKeyed;
}

type Outcome<T> = { value: T } | { error: CrierError };

async function attempt<T>(
  url: string,
  init: RequestInit,
  { fetch, timeoutMs, signal }: Attempts,
  read: (response: Response) => Promise<T>,
): Promise<Outcome<T>> {
  const limits = [signal, timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs)];
  const given = limits.filter((limit) => limit !== undefined);
  try {
    const limited = { ...init, ...(given.length > 0 && { signal: AbortSignal.any(given) }) };
    const response = await fetchWithinOrigin(url, limited, fetch);
    if (response.ok) return { value: await read(response) };
    return { error: errorOf(response, await problemOf(response)) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CrierError) return { error: cause };
    const reason =
      cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : String(cause);
    const about = `The service at ${new URL(url).origin} did not respond: ${reason}.`;
    return { error: new ConnectionError(about, { code: 'CONNECTION_LOST' }, { cause }) };
  }
}

/** A proxy or another program at this address may return its own page with a success status. */
export async function requireType(response: Response, expected: string): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.split(';')[0]!.trim().toLowerCase() === expected) return;
  await response.body?.cancel().catch(() => {});
  const about = `${URL.canParse(response.url) ? new URL(response.url).origin : 'The service'} returned ${type ? `"${type}"` : 'no content type'} instead of ${expected}. Is this the URL of your Crier instance?`;
  throw new CrierError(about, { code: 'NOT_CRIER', status: response.status });
}

/** A proxy may return a different body. */
async function problemOf(response: Response): Promise<Partial<Problem>> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

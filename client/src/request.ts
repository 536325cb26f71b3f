import { ConnectionError, CrierError, errorOf } from './errors.ts';
import { fetchWithinOrigin } from './same-origin.ts';
import { sleep } from './sleep.ts';
import type { Problem } from './types.gen.ts';

export interface Attempts {
  fetch: typeof fetch;
  /** How often a request is sent again. */
  maxRetries: number;
  /** How long one attempt may take. Null: as long as it wants. */
  timeoutMs: number | null;
  signal: AbortSignal | undefined;
  /** The service recognises a repeat of this write, or it is a read. */
  isRepeatable: boolean;
  /** The service recognises a repeat of this write by its key. */
  isKeyed: boolean;
}

/** A service that asks for a longer wait gets no retry: the caller decides. */
const maxDelaySeconds = 60;

/** Sends a request, and again where that can do no harm. `read` takes what is wanted from a successful answer. */
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

/** Whether the same request may succeed later, and cannot have a second effect. */
function canPass({ status, code }: CrierError, { isRepeatable, isKeyed }: Attempts): boolean {
  // The service did nothing.
  if (status === 429 || status === 503 || code === 'IDEMPOTENCY_IN_FLIGHT') return true;
  // The answer was lost: nobody knows what happened.
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

/** A proxy, or another program at this address, answers with a page of its own and a status that looks like success. */
export async function requireType(response: Response, expected: string): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type.split(';')[0]!.trim().toLowerCase() === expected) return;
  await response.body?.cancel().catch(() => {});
  const about = `${URL.canParse(response.url) ? new URL(response.url).origin : 'The service'} returned ${type ? `"${type}"` : 'no content type'} instead of ${expected}. Is this the URL of your Crier instance?`;
  throw new CrierError(about, { code: 'NOT_CRIER', status: response.status });
}

/** A proxy may answer with something else. */
async function problemOf(response: Response): Promise<Partial<Problem>> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

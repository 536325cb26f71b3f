import { CrierError } from './errors.ts';

type Fetch = typeof globalThis.fetch;

const redirects = [301, 302, 303, 307, 308];
/** These statuses repeat the same request at the new address. */
const repeating = [307, 308];
const maxRedirects = 5;

/**
 * Calls `fetch` and follows redirects only within the origin: `fetch` would send the API key and the body to another
 * origin.
 */
export async function fetchWithinOrigin(url: string, init: RequestInit = {}, fetch: Fetch = globalThis.fetch) {
  for (let [at, followed] = [url, 0]; ; followed += 1) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const target = targetOf(response, at);
    if (target === null) return response;
    await response.body?.cancel();
    const isSame = target instanceof URL && target.origin === new URL(at).origin;
    const isRead = (init.method ?? 'GET') === 'GET';
    if (!isSame || followed === maxRedirects || !(isRead || repeating.includes(response.status))) {
      throw refusal(at, target, response.status, isSame);
    }
    at = target.href;
  }
}

/** The target of a redirect, or null if the response is not one. Browsers hide the target. */
function targetOf({ type, status, headers }: Response, at: string): URL | string | null {
  if (type === 'opaqueredirect') return 'another address';
  const location = headers.get('location');
  if (location === null || !redirects.includes(status)) return null;
  return URL.canParse(location, at) ? new URL(location, at) : 'an invalid URL';
}

function refusal(at: string, target: URL | string, status: number, isSame: boolean): CrierError {
  const { origin } = new URL(at);
  const place = typeof target === 'string' ? target : isSame || target.origin === 'null' ? target.href : target.origin;
  const about = `The service at ${origin} redirects to ${place}. The redirect was not followed, and nothing was sent there.`;
  return new CrierError(`${about} If your Crier instance is there, use that URL.`, { code: 'REDIRECTED', status });
}

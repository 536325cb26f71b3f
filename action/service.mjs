const attempts = 5;
const maxRedirects = 5;
/** If the service asks for a longer wait, the step fails. */
const maxWaitSeconds = 60;

/**
 * Calls the API and retries temporary failures. A post has an idempotency key, so retrying it is safe.
 * @param {string} baseUrl
 * @param {string} apiKey
 */
export const serviceAt = (baseUrl, apiKey) =>
  async function call(method, path, body, more = {}, attempt = 1) {
    const headers = { 'x-service-key': apiKey, 'content-type': 'application/json', ...more };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await send(`${baseUrl}${path}`, request);
    const json = await response.json?.().catch(() => null);
    const answer = typeof json === 'object' && json !== null ? json : {};
    if (response.ok && answer === json) return answer;
    if (response.ok) throw new Error(`${baseUrl} does not return JSON. Is this the URL of your Crier instance?`);
    const seconds = retryAfterOf(response.headers ?? new Headers()) ?? attempt;
    if (attempt < attempts && seconds <= maxWaitSeconds && [0, 429, 502, 503, 504].includes(response.status)) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return call(method, path, body, more, attempt + 1);
    }
    if (response.status === 0)
      throw new Error(`${baseUrl} does not respond: ${response.error.cause?.code ?? 'no connection'}.`);
    throw new Error([answer.code, answer.error ?? `Status ${response.status}`, answer.hint].filter(Boolean).join(': '));
  };

/** Follows redirects only within the origin: `fetch` would send the key to another origin. */
async function send(url, request, followed = 0) {
  const response = await fetch(url, { ...request, redirect: 'manual' }).catch((error) => ({ status: 0, error }));
  const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
  if (location === null) return response;
  const [{ origin }, target] = [new URL(url), URL.parse(location, url)];
  const isRepeated = request.method === 'GET' || [307, 308].includes(response.status);
  if (target?.origin === origin && isRepeated && followed < maxRedirects)
    return send(target.href, request, followed + 1);
  const place = target && target.origin !== origin && target.origin !== 'null' ? target.origin : location;
  throw new Error(
    `${origin} redirects to ${place}. The redirect was not followed, and nothing was sent there. If your Crier instance is there, use that URL.`,
  );
}

/** `Retry-After` is a number of seconds, or a date by the service's clock. Null if it is neither. */
function retryAfterOf(headers) {
  const text = headers.get('retry-after') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

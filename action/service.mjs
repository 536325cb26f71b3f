const attempts = 5;
const maxRedirects = 5;
/** If the service asks for a longer wait, the step fails. */
const maxWaitSeconds = 60;
const defaultTimeoutMs = 120_000;

/**
 * Calls the API and retries temporary failures. A post has an idempotency key, so retrying it is safe.
 * @param {string} baseUrl
 * @param {string} apiKey
 * @param {number} [timeoutMs] of one attempt
 */
export const serviceAt = (baseUrl, apiKey, timeoutMs = defaultTimeoutMs) =>
  async function call(method, path, body, more = {}, attempt = 1) {
    const headers = { 'x-service-key': apiKey, 'content-type': 'application/json', ...more };
    const signal = AbortSignal.timeout(timeoutMs);
    const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) };
    const { ok, status, headers: answered, text, error } = await send(`${baseUrl}${path}`, request);
    const json = jsonIn(text);
    const answer = typeof json === 'object' && json !== null ? json : {};
    if (ok && answer === json) return answer;
    if (ok) throw new Error(`${baseUrl} does not return JSON. Is this the URL of your Crier instance?`);
    const seconds = retryAfterOf(answered) ?? attempt;
    const passes =
      [0, 429, 502, 503, 504].includes(status) ||
      answer.code === 'IDEMPOTENCY_IN_FLIGHT' ||
      (status === 500 && 'idempotency-key' in more);
    if (attempt < attempts && seconds <= maxWaitSeconds && passes) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return call(method, path, body, more, attempt + 1);
    }
    if (status === 0) throw new Error(`${baseUrl} does not respond: ${error.cause?.code ?? error.message}.`);
    throw new Error([answer.code, answer.error ?? `Status ${status}`, answer.hint].filter(Boolean).join(': '));
  };

/** Follows redirects only within the origin: `fetch` would send the key to another origin. */
async function send(url, request, followed = 0) {
  const response = await read(url, { ...request, redirect: 'manual' });
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

/** A response that is lost, also in its body, has the status 0. */
async function read(url, request) {
  try {
    const response = await fetch(url, request);
    const { ok, status, headers } = response;
    return { ok, status, headers, text: await response.text() };
  } catch (error) {
    return { ok: false, status: 0, headers: new Headers(), text: '', error };
  }
}

function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `Retry-After` is a number of seconds, or a date by the service's clock. Null if it is neither. */
function retryAfterOf(headers) {
  const text = headers.get('retry-after') ?? '';
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

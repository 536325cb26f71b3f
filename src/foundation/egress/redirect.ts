import { parseUrl } from '../lib/parse-url.ts';
import { checkUrl, type Exceptions } from './check-url.ts';
import { EgressError } from './egress-error.ts';
import type { Hop, RawResponse } from './send-request.ts';

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The next request after a redirect. Its URL is checked like the first one; method and body follow the rules of `fetch`. */
export function nextHop(hop: Hop, { status, headers }: RawResponse, exceptions: Exceptions): Hop {
  const url = checkUrl(targetOf(hop, headers.get('location')), exceptions);
  const becomesGet =
    status === 303 ? hop.method !== 'GET' && hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  if (hop.content && !hop.content.repeatable && !becomesGet) {
    throw new EgressError('redirect', `${hop.url.host} redirected an upload that cannot be sent twice.`);
  }
  const kept = [...hop.headers].filter(
    ([name]) => (url.origin === hop.url.origin || harmless.has(name)) && !(becomesGet && aboutContent.test(name)),
  );
  return becomesGet
    ? { url, method: 'GET', headers: new Headers(kept), content: null }
    : { ...hop, url, headers: new Headers(kept) };
}

function targetOf({ url }: Hop, location: string | null): URL {
  // Node decodes headers as Latin-1, but a non-ASCII Location is UTF-8.
  const target = location && parseUrl(Buffer.from(location, 'latin1').toString(), url);
  if (!target) throw new EgressError('redirect', `${url.host} redirected without saying where to.`);
  return target;
}

const aboutContent = /^content-/;

/** The only headers sent to another origin. Any other header may hold a secret, whatever its name. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'range',
  'user-agent',
]);

import { checkUrl, type Exceptions } from './check-url.ts';
import { EgressError } from './egress-error.ts';
import type { Answer, Hop } from './exchange.ts';

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Where a redirect leads, checked like an address that was given, with method and body as `fetch` would have them. */
export function nextHop(hop: Hop, { status, headers }: Answer, exceptions: Exceptions): Hop {
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
  // Headers are bytes; an address in them that is not ASCII is UTF-8.
  const target = location && URL.parse(Buffer.from(location, 'latin1').toString(), url);
  if (!target) throw new EgressError('redirect', `${url.host} redirected without saying where to.`);
  return target;
}

const aboutContent = /^content-/;

/** All that another origin may see. Any other header may be a secret: keys have many names. */
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

import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors.ts';

/** Reading and checking eighty thousand fields would keep other requests waiting. A post to all networks has about a hundred. */
const bytesPerField = 100;
/** The quote that ends a name. Within a text, a quote has a backslash before it. */
const endOfName = /(?:^|[^\\])(?:\\\\)*"\s*:/g;

/** A problem if a text of JSON has more fields than fit into a body of ordinary ones. */
export function refuseManyFields(text: string, { routeOptions }: Pick<FastifyRequest, 'routeOptions'>): Problem | null {
  const max = Math.round(routeOptions.bodyLimit / bytesPerField);
  if (text.length < 4 * max || !hasMore(text, max)) return null;
  return new Problem('body_too_large', { error: `The body has more than ${max.toLocaleString('en-US')} fields` });
}

function hasMore(text: string, max: number): boolean {
  let fields = 0;
  for (const _ of text.matchAll(endOfName)) {
    fields += 1;
    if (fields > max) return true;
  }
  return false;
}

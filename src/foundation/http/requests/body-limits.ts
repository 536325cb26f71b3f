import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { jsonExcess, maxJsonLevels } from '../../lib/json.ts';

/** Reading and checking eighty thousand values would keep other requests waiting. A post to all networks has about a hundred. */
const bytesPerValue = 100;

/** A problem if a text of JSON has more values than fit into a body of ordinary ones, or too many in each other. */
export function refuseLargeJson(
  text: string,
  request: Pick<FastifyRequest, 'routeOptions' | 'headers'>,
): Problem | null {
  const values = Math.round(request.routeOptions.bodyLimit / bytesPerValue);
  const excess = jsonExcess(text, { values, levels: maxJsonLevels });
  if (excess === null) return null;
  if (excess === 'levels' && hasIdempotencyKey(request)) return new Problem('idempotency_too_complex');
  const error =
    excess === 'levels'
      ? `The body is nested more than ${maxJsonLevels} levels deep`
      : `The body has more than ${values.toLocaleString('en-US')} fields and list entries`;
  return new Problem('body_too_large', { error });
}

/** The contract has a separate answer to such a request. */
const hasIdempotencyKey = ({ headers, routeOptions }: Pick<FastifyRequest, 'routeOptions' | 'headers'>) =>
  Boolean(headers['idempotency-key']) && routeOptions.config.problems?.includes('idempotency_too_complex');

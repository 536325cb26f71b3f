import type { FastifyRequest } from 'fastify';
import { Problem } from '../../errors/index.ts';
import { jsonExcess, maxJsonLevels } from '../../lib/json.ts';

/** Reading and checking 80,000 values would delay other requests. A post to all networks has about 100. */
const bytesPerValue = 100;

/** A problem if the JSON text has more values than an ordinary body of its size, or is nested too deeply. */
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

/** The contract defines a separate response to such a request. */
const hasIdempotencyKey = ({ headers, routeOptions }: Pick<FastifyRequest, 'routeOptions' | 'headers'>) =>
  Boolean(headers['idempotency-key']) && routeOptions.config.problems?.includes('idempotency_too_complex');

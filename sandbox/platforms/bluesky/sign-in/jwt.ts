import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../../http/json.ts';

const key = 'sandbox';

/**
 * The token has the shape and signature of the vendor's, so that clients can read its claims. The token store decides
 * whether it is valid.
 */
export function makeJwt(header: JsonObject, claims: JsonObject): string {
  const [first, second] = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', key).update(`${first}.${second}`).digest('base64url');
  return `${first}.${second}.${signature}`;
}

import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../json.ts';

const key = 'sandbox';

/** Shaped and signed like the vendor's, so that clients may read the claims. What it is worth, the token store knows. */
export function makeJwt(header: JsonObject, claims: JsonObject): string {
  const [first, second] = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', key).update(`${first}.${second}`).digest('base64url');
  return `${first}.${second}.${signature}`;
}

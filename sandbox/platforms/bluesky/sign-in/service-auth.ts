import { randomUUID } from 'node:crypto';
import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Token } from '../../../store/tokens.ts';
import { invalid, refuse } from '../errors.ts';
import { readParameter } from '../input.ts';
import { isNsid } from '../repo/identifiers.ts';
import { authenticate } from './authenticate.ts';
import { makeJwt } from './jwt.ts';

const defaultSeconds = 60;
const longestSeconds = 3600;
const longestWithoutMethod = 60;
const serviceScope = 'service';

/** Issues a short-lived token that lets another service call one method for the account. */
export function getServiceAuth(call: Call): HttpResponse {
  const account = authenticate(call);
  const aud = readParameter(call, 'aud');
  const lxm = call.query.get('lxm');
  const iat = Math.floor(call.sandbox.now() / 1000);
  if (!/^did:(plc|web):[a-zA-Z0-9._:%-]+(#\w+)?$/.test(aud)) {
    invalid('aud must be a valid atproto DID or did#serviceId reference');
  }
  if (lxm !== null && !isNsid(lxm)) invalid(`Invalid NSID (got ${JSON.stringify(lxm)}) at $.lxm`);
  const exp = readExpiry(call, iat, lxm !== null);
  const token = makeJwt({ typ: 'JWT', alg: 'ES256K' }, { iat, iss: account.id, aud, exp, lxm, jti: randomUUID() });
  call.sandbox.store.tokens.issue({
    platform: 'bluesky',
    accountId: account.id,
    kind: 'app',
    scope: serviceScope,
    token,
    data: { aud, lxm },
    expiresInSeconds: exp - iat,
  });
  return json({ token });
}

/** Returns the account of a service token. The token must be for this audience and method. */
export function requireServiceAuth(call: Call, audienceOf: (did: string) => string, method: string): string {
  const [, value] = /^Bearer\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  if (value === undefined) refuse(401, 'MissingJwt', 'missing jwt');
  const token: Token | undefined = call.sandbox.store.tokens.find('bluesky', value);
  if (token?.scope !== serviceScope || token.accountId === null) refuse(401, 'BadJwt', 'poorly formatted jwt');
  if (!call.sandbox.store.tokens.isAlive(token)) refuse(401, 'JwtExpired', 'jwt expired');
  if (token.data.aud !== audienceOf(token.accountId)) {
    refuse(401, 'BadJwtAudience', 'jwt audience does not match service did');
  }
  if (token.data.lxm !== method) {
    refuse(401, 'BadJwtLexiconMethod', `bad jwt lexicon method ("lxm"). must match: ${method}`);
  }
  return token.accountId;
}

function readExpiry(call: Call, now: number, hasMethod: boolean): number {
  const given = call.query.get('exp');
  if (given === null) return now + defaultSeconds;
  const exp = Number(given);
  if (!Number.isInteger(exp)) invalid(`Expected integer value type (got ${JSON.stringify(given)}) at $.exp`);
  if (exp < now) invalid('expiration is in past', 'BadExpiration');
  if (exp - now > longestSeconds) {
    invalid('cannot request a token with an expiration more than an hour in the future', 'BadExpiration');
  }
  if (!hasMethod && exp - now > longestWithoutMethod) {
    invalid('cannot request a method-less token with an expiration more than a minute in the future', 'BadExpiration');
  }
  return exp;
}

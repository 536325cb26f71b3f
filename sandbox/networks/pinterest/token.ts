import { type Answer, json } from '../../answer.ts';
import { application } from '../../application.ts';
import { asText } from '../../fields.ts';
import type { Call } from '../../network.ts';
import type { Sandbox } from '../../sandbox.ts';
import { randomName } from '../../store/apps.ts';
import { refuse } from './errors.ts';

const accessSeconds = 30 * 24 * 60 * 60;
const refreshSeconds = 60 * 24 * 60 * 60;
const codeLifeMs = 10 * 60_000;
const tokenBytes = 32;

/** The application says who it is by HTTP Basic, and what it wants by form. */
export function token(call: Call): Answer {
  const { fields } = call.body;
  if (!isOurApplication(call)) refuse(401);
  if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) refuse(400);
  switch (asText(fields.grant_type)) {
    case 'authorization_code':
      return exchange(call);
    case 'refresh_token':
      return renew(call);
    default:
      refuse(400, "Invalid request: grant_type is not one of 'authorization_code', 'refresh_token'");
  }
}

export function issueTokens({ store }: Sandbox, accountId: string, scope: string) {
  const grant = { network: 'pinterest', accountId, scope, clientId: application.clientId };
  const access = { ...grant, token: `pina_${randomName(tokenBytes)}`, expiresInSeconds: accessSeconds };
  const refresh = { ...grant, token: `pinr_${randomName(tokenBytes)}`, expiresInSeconds: refreshSeconds };
  return {
    accessToken: store.tokens.issue(access).token,
    refreshToken: store.tokens.issue({ ...refresh, kind: 'refresh' }).token,
  };
}

function exchange(call: Call): Answer {
  const { store, now } = call.sandbox;
  const { code: value, redirect_uri } = call.body.fields;
  const code = store.apps.takeCode('pinterest', asText(value));
  if (!code || code.createdAt <= now() - codeLifeMs) refuse(400, 'The provided authorization grant is invalid.');
  if (code.redirectUri !== asText(redirect_uri)) refuse(400, 'Redirect URI does not match.');
  return present(call, code.accountId, code.scope, 'authorization_code');
}

/** Works once: the answer holds the next one. */
function renew(call: Call): Answer {
  const { tokens } = call.sandbox.store;
  const old = tokens.find('pinterest', asText(call.body.fields.refresh_token));
  if (old?.kind !== 'refresh' || old.accountId === null || !tokens.isAlive(old)) refuse(401);
  tokens.revoke(old);
  return present(call, old.accountId, old.scope, 'refresh_token');
}

function present({ sandbox }: Call, accountId: string, scope: string, response_type: string): Answer {
  const { accessToken, refreshToken } = issueTokens(sandbox, accountId, scope);
  return json({
    access_token: accessToken,
    refresh_token: refreshToken,
    response_type,
    token_type: 'bearer',
    expires_in: accessSeconds,
    refresh_token_expires_in: refreshSeconds,
    refresh_token_expires_at: Math.floor(sandbox.now() / 1000) + refreshSeconds,
    scope,
  });
}

function isOurApplication(call: Call): boolean {
  const [, basic = ''] = /^Basic\s+(\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(basic, 'base64').toString().split(':');
  return id === application.clientId && secret === application.clientSecret;
}

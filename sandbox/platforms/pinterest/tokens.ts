import { oauthApp } from '../../oauth/oauth-app.ts';
import type { Sandbox } from '../../platform.ts';
import { randomName } from '../../store/apps.ts';

export const accessSeconds = 30 * 24 * 60 * 60;
export const refreshSeconds = 60 * 24 * 60 * 60;
const tokenBytes = 32;

export function issueTokens({ store }: Sandbox, accountId: string, scope: string) {
  const grant = { platform: 'pinterest', accountId, scope, clientId: oauthApp.clientId };
  const access = { ...grant, token: `pina_${randomName(tokenBytes)}`, expiresInSeconds: accessSeconds };
  const refresh = { ...grant, token: `pinr_${randomName(tokenBytes)}`, expiresInSeconds: refreshSeconds };
  return {
    accessToken: store.tokens.issue(access).token,
    refreshToken: store.tokens.issue({ ...refresh, kind: 'refresh' }).token,
  };
}

import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Sandbox } from '../../../platform.ts';

export const accessSeconds = 2 * 60 * 60;
const refreshSeconds = 180 * 24 * 60 * 60;

/** Issues a refresh token only with the scope `offline.access`. */
export function issueTokens({ store }: Sandbox, accountId: string, scope: string) {
  const grant = { platform: 'twitter', accountId, scope, clientId: oauthApp.clientId };
  const access = store.tokens.issue({ ...grant, expiresInSeconds: accessSeconds });
  const refresh = scope.split(' ').includes('offline.access')
    ? store.tokens.issue({ ...grant, kind: 'refresh', expiresInSeconds: refreshSeconds })
    : null;
  return { accessToken: access.token, refreshToken: refresh?.token ?? null };
}

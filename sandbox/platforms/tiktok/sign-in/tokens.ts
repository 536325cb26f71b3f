import { oauthApp } from '../../../oauth/oauth-app.ts';
import type { Sandbox } from '../../../platform.ts';
import { randomName } from '../../../store/apps.ts';
import type { Token } from '../../../store/tokens.ts';

export const accessSeconds = 2 * 60 * 60;
export const refreshSeconds = 365 * 24 * 60 * 60;
const tokenBytes = 48;

export function issueTokens({ store }: Sandbox, accountId: string, scope: string): { access: Token; refresh: Token } {
  const grant = { platform: 'tiktok', accountId, scope, clientId: oauthApp.clientId };
  return {
    access: store.tokens.issue({
      ...grant,
      token: `act.${randomName(tokenBytes)}`,
      expiresInSeconds: accessSeconds,
    }),
    refresh: store.tokens.issue({
      ...grant,
      kind: 'refresh',
      token: `rft.${randomName(tokenBytes)}`,
      expiresInSeconds: refreshSeconds,
    }),
  };
}

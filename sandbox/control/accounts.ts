import { ensureAccount, findAccount } from '../accounts.ts';
import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Sandbox } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import { check, flag, InvalidInput, optional, someText } from './check.ts';
import { knownPlatform, platformId } from './platform-checks.ts';

export function createAccount(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const {
    network: platform,
    handle,
    premium,
    scope,
  } = check(input, {
    network: knownPlatform(sandbox),
    handle: someText,
    premium: optional(flag),
    scope: optional(someText),
  });
  const ensured = ensureAccount(sandbox, platform, handle, premium);
  if (!ensured) {
    const rule = platform.accounts.handleRule;
    throw new InvalidInput(`\`handle\` must be a handle that ${platform.name} allows; "${handle}" is not. ${rule}`);
  }
  const { account, isNew } = ensured;
  const credentials = platform.accounts.credentials(account, sandbox, scope?.split(/[\s,]+/));
  const granted = scopeOf(sandbox, platform.id, credentials);
  return json({ account: presentAccount(account), credentials, scope: granted }, isNew ? 201 : 200);
}

/** The scopes of the access token in the credentials; empty if tokens have no scopes. */
function scopeOf({ store }: Sandbox, platform: string, credentials: JsonObject): string {
  const tokens = Object.values(credentials).map((value) =>
    typeof value === 'string' ? store.tokens.find(platform, value) : undefined,
  );
  return tokens.find((token) => token?.kind === 'access')?.scope ?? '';
}

export function listAccounts(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const { network } = check(input, { network: optional(platformId(sandbox)) });
  const accounts = sandbox.store.accounts.list(network);
  return json(
    accounts.map((account) => ({
      network: account.platform,
      ...presentAccount(account),
      suspended: account.suspended,
    })),
  );
}

export function changeAccount(sandbox: Sandbox, input: JsonObject): HttpResponse {
  const {
    network: platform,
    handle,
    suspended,
    revokeTokens,
    premium,
  } = check(input, {
    network: knownPlatform(sandbox),
    handle: someText,
    suspended: optional(flag),
    revokeTokens: optional(flag),
    premium: optional(flag),
  });
  const account = findAccount(sandbox, platform, handle);
  if (!account) {
    return json({ error: `${platform.name} has no account "${handle}". Create it with POST /_control/accounts.` }, 404);
  }
  const { accounts, tokens } = sandbox.store;
  if (revokeTokens) tokens.revokeAll(platform.id, account.id);
  const changed = accounts.change(account, {
    suspended: suspended ?? account.suspended,
    premium: premium ?? account.premium,
  });
  return json({ account: presentAccount(changed), suspended: changed.suspended, premium: changed.premium });
}

function presentAccount({ id, handle, displayName, avatarUrl, profileUrl }: Account) {
  return { id, handle, displayName, avatarUrl, profileUrl };
}

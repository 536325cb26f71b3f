import { ensureAccount, findAccount } from '../accounts.ts';
import { type Answer, json } from '../answer.ts';
import type { JsonObject } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Account } from '../store/accounts.ts';
import { check, flag, InvalidInput, optional, someText } from './check.ts';
import { aNetwork, networkId } from './names.ts';

export function createAccount(sandbox: Sandbox, input: JsonObject): Answer {
  const { network, handle, premium } = check(input, {
    network: aNetwork(sandbox),
    handle: someText,
    premium: optional(flag),
  });
  const ensured = ensureAccount(sandbox, network, handle, premium);
  if (!ensured) throw new InvalidInput(`\`handle\` must be one that ${network.name} allows; "${handle}" is not.`);
  const { account, isNew } = ensured;
  const credentials = network.accounts.credentials(account, sandbox);
  return json({ account: showAccount(account), credentials }, isNew ? 201 : 200);
}

export function listAccounts(sandbox: Sandbox, input: JsonObject): Answer {
  const { network } = check(input, { network: optional(networkId(sandbox)) });
  const accounts = sandbox.store.accounts.list(network);
  return json(
    accounts.map((account) => ({ network: account.network, ...showAccount(account), suspended: account.suspended })),
  );
}

export function changeAccount(sandbox: Sandbox, input: JsonObject): Answer {
  const { network, handle, suspended, revokeTokens, premium } = check(input, {
    network: aNetwork(sandbox),
    handle: someText,
    suspended: optional(flag),
    revokeTokens: optional(flag),
    premium: optional(flag),
  });
  const account = findAccount(sandbox, network, handle);
  if (!account) return json({ error: `${network.name} has no account "${handle}" here.` }, 404);
  const { accounts, tokens } = sandbox.store;
  if (revokeTokens) tokens.revokeAll(network.id, account.id);
  const changed = accounts.change(account, {
    suspended: suspended ?? account.suspended,
    premium: premium ?? account.premium,
  });
  return json({ account: showAccount(changed), suspended: changed.suspended, premium: changed.premium });
}

function showAccount({ id, handle, displayName, avatarUrl, profileUrl }: Account) {
  return { id, handle, displayName, avatarUrl, profileUrl };
}

import type { Network } from './network.ts';
import type { Sandbox } from './sandbox.ts';
import type { Account } from './store/accounts.ts';

/** The account of that handle, made when there is none. Null when the network would not allow the handle. */
export function ensureAccount(
  sandbox: Sandbox,
  network: Network,
  handle: string,
  premium?: boolean,
): { account: Account; isNew: boolean } | null {
  const normalized = network.accounts.normalize(handle);
  if (normalized === null) return null;
  const { accounts } = sandbox.store;
  const existing = accounts.findByHandle(network.id, normalized);
  if (existing) {
    const account = premium === undefined ? existing : accounts.change(existing, { premium });
    return { account, isNew: false };
  }
  const description = network.accounts.describe(normalized, sandbox);
  const account = accounts.add({ network: network.id, handle: normalized, premium: premium ?? false, ...description });
  return { account, isNew: true };
}

/** By id, or by handle in any spelling. */
export function findAccount(sandbox: Sandbox, network: Network, name: string): Account | undefined {
  const { accounts } = sandbox.store;
  const handle = network.accounts.normalize(name);
  return accounts.find(network.id, name) ?? (handle === null ? undefined : accounts.findByHandle(network.id, handle));
}

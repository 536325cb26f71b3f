import { randomInt } from 'node:crypto';
import type { Sandbox, SandboxPlatform } from './platform.ts';
import type { Account } from './store/accounts.ts';

/** Finds or creates the account with this handle. Null when the platform does not allow the handle. */
export function ensureAccount(
  sandbox: Sandbox,
  platform: SandboxPlatform,
  handle: string,
  premium?: boolean,
): { account: Account; isNew: boolean } | null {
  const normalized = platform.accounts.normalize(handle);
  if (normalized === null) return null;
  const { accounts } = sandbox.store;
  const existing = accounts.findByHandle(platform.id, normalized);
  if (existing) {
    const account = premium === undefined ? existing : accounts.change(existing, { premium });
    return { account, isNew: false };
  }
  const description = platform.accounts.describe(normalized, sandbox);
  const account = accounts.add({
    platform: platform.id,
    handle: normalized,
    premium: premium ?? false,
    ...description,
  });
  return { account, isNew: true };
}

/** `name` is an id, or a handle in any spelling. */
export function findAccount(sandbox: Sandbox, platform: SandboxPlatform, name: string): Account | undefined {
  const { accounts } = sandbox.store;
  const handle = platform.accounts.normalize(name);
  return accounts.find(platform.id, name) ?? (handle === null ? undefined : accounts.findByHandle(platform.id, handle));
}

/** Not names of people: users would take such a handle for a real person's account. */
const names = (
  'badger beaver crane dove eagle falcon finch gull hare heron ibis koala lark lynx magpie moose ' +
  'otter owl panda puffin raven robin seal wren'
).split(' ');

/** An unused handle for a new account. Every platform accepts short handles of letters and digits. */
export function unusedHandle({ store }: Sandbox, { id }: SandboxPlatform): string {
  // Some platforms add a host, as in `otter42.bsky.social`.
  const taken = new Set(store.accounts.list(id).map(({ handle }) => handle.split(/[.@]/, 1)[0]));
  for (;;) {
    // Random, so that two people who connect at the same time get different handles.
    const handle = `${names[randomInt(names.length)]}${randomInt(10, taken.size + 100)}`;
    if (!taken.has(handle)) return handle;
  }
}

import { ensureAccount } from '../../accounts.ts';
import type { Sandbox } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';

/** A handle with this prefix is a company page. All others are members. */
export const pagePrefix = 'company-';

export function isPage(account: Account): boolean {
  return account.handle.startsWith(pagePrefix);
}

/** `ann` administers `company-ann`. A member whose handle contains `admin` always has a page. */
export function pagesOf(sandbox: Sandbox, member: Account): Account[] {
  const handle = pagePrefix + member.handle;
  const existing = sandbox.store.accounts.findByHandle('linkedin', handle);
  if (existing) return [existing];
  return member.handle.includes('admin') ? [ensure(sandbox, handle)] : [];
}

export function administratorOf(sandbox: Sandbox, page: Account): Account {
  return ensure(sandbox, page.handle.slice(pagePrefix.length));
}

function ensure(sandbox: Sandbox, handle: string): Account {
  const platform = sandbox.platforms.find(({ id }) => id === 'linkedin');
  const ensured = platform && ensureAccount(sandbox, platform, handle);
  if (!ensured) throw new Error(`There can be no account "${handle}".`);
  return ensured.account;
}

import type { Account } from '../store/accounts.ts';
import { escapeHtml } from './escape.ts';

/** The sandbox address that shows what the platform shows at `url`. */
export function localAddress(url: string): string {
  return url.replace(/^https?:\//, '');
}

export function accountLink(account: Account): string {
  const image =
    account.avatarUrl === null
      ? ''
      : `<img class="avatar" src="${escapeHtml(localAddress(account.avatarUrl))}" alt="" width="40" height="40">`;
  const label = `${image}<span class="name">${escapeHtml(account.displayName)}</span> <span class="handle">@${escapeHtml(account.handle)}</span>`;
  if (account.profileUrl === null) return `<span class="account">${label}</span>`;
  return `<a class="account" href="${escapeHtml(localAddress(account.profileUrl))}">${label}</a>`;
}

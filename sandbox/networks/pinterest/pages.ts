import { type Answer, html, redirect } from '../../answer.ts';
import type { Call } from '../../network.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage } from '../../pages/post.ts';
import { accounts } from './accounts.ts';

export const homePage = (): Answer => redirect('/feed/pinterest');

export function profilePage(call: Call): Answer {
  const handle = accounts.normalize(call.params.handle ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('pinterest', handle);
  return account ? html(accountPage(call.sandbox, call.network, account)) : missing();
}

export function avatar(call: Call): Answer {
  const account = call.sandbox.store.accounts.find('pinterest', call.params.id ?? '');
  return account ? avatarImage(account.handle) : missing();
}

const missing = () => html(messagePage('Not found', 'Pinterest has no such page here.'), 404);

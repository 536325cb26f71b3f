import { type HttpResponse, html, redirect } from '../../http/http-response.ts';
import { avatarImage } from '../../pages/avatar.ts';
import { messagePage } from '../../pages/layout.ts';
import { accountPage } from '../../pages/post.ts';
import type { Call } from '../../platform.ts';
import { accounts } from './accounts.ts';

export const homePage = (): HttpResponse => redirect('/feed/pinterest');

export function profilePage(call: Call): HttpResponse {
  const handle = accounts.normalize(call.params.handle ?? '');
  const account = handle === null ? undefined : call.sandbox.store.accounts.findByHandle('pinterest', handle);
  return account ? html(accountPage(call.sandbox, call.platform, account)) : notFoundPage();
}

export function avatar(call: Call): HttpResponse {
  const account = call.sandbox.store.accounts.find('pinterest', call.params.id ?? '');
  return account ? avatarImage(account.handle) : notFoundPage();
}

const notFoundPage = () => html(messagePage('Not found', 'This page does not exist on the sandbox’s Pinterest.'), 404);

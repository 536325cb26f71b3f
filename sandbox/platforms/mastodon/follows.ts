import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call, Sandbox } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { notFound } from './errors.ts';
import { authenticate } from './sign-in/authenticate.ts';

/** All servers of the sandbox federate, so the other account may be on any of them. */
export function follow(call: Call): HttpResponse {
  const account = authenticate(call, 'write:follows', 'follow');
  const { accounts, records } = call.sandbox.store;
  const other = accounts.find('mastodon', call.params.id ?? '') ?? notFound();
  records.put('mastodon', 'follow', `${account.id} ${other.id}`, { followed: other.id }, account.id);
  return json({ id: other.id, following: true, showing_reblogs: true, notifying: false, requested: false });
}

export function followCounts({ store }: Sandbox, { id }: Account) {
  const follows = store.records.list('mastodon', 'follow');
  return {
    followers: follows.filter(({ data }) => data.followed === id).length,
    following: follows.filter(({ accountId }) => accountId === id).length,
  };
}

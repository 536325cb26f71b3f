import { type Answer, json } from '../../answer.ts';
import type { Call } from '../../network.ts';
import type { Sandbox } from '../../sandbox.ts';
import type { Account } from '../../store/accounts.ts';
import { notFound } from './errors.ts';
import { signIn } from './sign-in.ts';

/** Of accounts of any server here: they are all one federation. */
export function follow(isOn: boolean) {
  return (call: Call): Answer => {
    const account = signIn(call, 'write:follows', 'follow');
    const { accounts, records } = call.sandbox.store;
    const other = accounts.find('mastodon', call.params.id ?? '') ?? notFound();
    const id = `${account.id} ${other.id}`;
    if (isOn) records.put('mastodon', 'follow', id, { followed: other.id }, account.id);
    else records.remove('mastodon', 'follow', id);
    return json({ id: other.id, following: isOn, showing_reblogs: isOn, notifying: false, requested: false });
  };
}

export function followCounts({ store }: Sandbox, { id }: Account) {
  const follows = store.records.list('mastodon', 'follow');
  return {
    followers: follows.filter(({ data }) => data.followed === id).length,
    following: follows.filter(({ accountId }) => accountId === id).length,
  };
}

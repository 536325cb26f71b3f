import type { Call } from '../../network.ts';
import type { Account } from '../../store/accounts.ts';
import { isPage } from './members.ts';

/** The older API puts the member beside its URN where a projection asks for `actor~(…)`; the versioned one does not. */
export function decoration(call: Call, actor: Account) {
  const isAsked = call.path.startsWith('/v2/') && call.query.get('projection')?.includes('actor~(') === true;
  if (!isAsked || isPage(actor)) return {};
  const { givenName, familyName } = actor.data;
  return { 'actor~': { localizedFirstName: givenName ?? '', localizedLastName: familyName ?? '' } };
}

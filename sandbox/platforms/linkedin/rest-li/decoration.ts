import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import { isPage } from '../members.ts';

/**
 * The older API adds the member next to its URN when the projection asks for `actor~(…)`. The versioned API does not.
 */
export function decoration(call: Call, actor: Account) {
  const isAsked = call.path.startsWith('/v2/') && call.query.get('projection')?.includes('actor~(') === true;
  if (!isAsked || isPage(actor)) return {};
  const { givenName, familyName } = actor.data;
  return { 'actor~': { localizedFirstName: givenName ?? '', localizedLastName: familyName ?? '' } };
}

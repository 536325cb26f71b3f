import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { presentStatus } from './present.ts';
import { authenticate } from './sign-in/authenticate.ts';
import { findVisible } from './status-read.ts';

export function react(kind: 'favourite' | 'reblog') {
  return (call: Call): HttpResponse => {
    const account = authenticate(call, kind === 'reblog' ? 'write:statuses' : 'write:favourites');
    const post = findVisible(call, account);
    const { reactions, ids } = call.sandbox.store;
    reactions.add(post, account.id, kind);
    if (kind === 'favourite') return json({ ...presentStatus(call, post), favourited: true });
    // A boost is a separate status that contains the boosted one.
    const status = { ...presentStatus(call, post), reblogged: true };
    return json({ ...status, id: ids.snowflake(), reblog: status });
  };
}

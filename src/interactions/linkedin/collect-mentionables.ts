import type { StoredConnection } from '../../connections/connections.ts';
import type { Who } from '../../http/auth.ts';
import { actions, asLinkedIn, type Needs } from '../../insights/linkedin/act-as-linkedin.ts';
import { fetchCached } from '../../insights/shared-cache.ts';
import { plans } from '../../lib/plans.ts';
import { upsertPeople } from './people-queries.ts';

/** LinkedIn's quotas are for a day: one look at a post in this time is enough. */
const lookSeconds = 3600;

/**
 * Notes who else commented on or likes a post that our user takes part in, for them to mention. Nobody waits for it, and
 * that a connection may not read it is no failure.
 */
export function seePeople(app: Needs, who: Who, connection: StoredConnection, post: string): void {
  if (!plans[who.plan].features.mentionables) return;
  const look = () => lookAround(app, who, connection, post);
  fetchCached(app, `linkedin ${connection.id} people ${post}`, lookSeconds, look).catch((error: unknown) => {
    app.log.info({ connectionId: connection.id, reason: String(error) }, 'people at LinkedIn could not be read');
  });
}

async function lookAround(app: Needs, { userId }: Who, connection: StoredConnection, post: string): Promise<number> {
  const people = await asLinkedIn(app, connection, { failure: 'linkedin_mentionables_failed' }, (ctx) =>
    actions.peopleAround(post, ctx),
  );
  if (people.length > 0) await upsertPeople(app.db, userId, people, app.clock.now());
  return people.length;
}

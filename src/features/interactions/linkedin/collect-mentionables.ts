import { plans } from '../../../config/plans.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actAsLinkedIn, actions } from '../../insights/linkedin/act-as-linkedin.ts';
import { fetchCached } from '../../insights/shared-cache.ts';
import { upsertPeople } from './people-queries.ts';

/** LinkedIn's quotas are daily, so each post is read at most once in this time. */
const collectEverySeconds = 3600;

/**
 * Stores the people who commented on or reacted to a post that the user interacts with, so that they can be
 * mentioned. Runs in the background. Missing permission to read them is not an error.
 */
export function collectMentionables(app: ActingApp, who: Who, connection: StoredConnection, post: string): void {
  if (!plans[who.plan].features.mentionables) return;
  const collect = () => collectAround(app, who, connection, post);
  fetchCached(app, `linkedin ${connection.id} people ${post}`, collectEverySeconds, collect).catch((error: unknown) => {
    app.log.info(
      { connectionId: connection.id, reason: String(error) },
      'the people around a LinkedIn post could not be read',
    );
  });
}

async function collectAround(
  app: ActingApp,
  { userId }: Who,
  connection: StoredConnection,
  post: string,
): Promise<number> {
  const people = await actAsLinkedIn(app, connection, { failure: 'linkedin_mentionables_failed' }, (ctx) =>
    actions.peopleAround(post, ctx),
  );
  if (people.length > 0) await upsertPeople(app.db, userId, people, app.clock.now());
  return people.length;
}

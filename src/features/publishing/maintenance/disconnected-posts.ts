import { randomUUID } from 'node:crypto';
import type { App } from '../../../app.ts';
import { messages, PlatformError } from '../../../platforms/kit/index.ts';
import { publishError } from '../attempt/failures.ts';
import { claimDisconnectedPost, recordFailed, selectDisconnectedPosts, skipComments } from '../attempt/post-queries.ts';
import { stepsOf } from '../attempt/step-queries.ts';

/** Each post takes several statements, and the dispatcher does nothing else in the meantime. */
const maxInARow = 20;

/**
 * Fails posts whose account was disconnected while they were being published: they can be neither published nor
 * found. Handles a few at a time and returns whether there may be more.
 */
export async function failDisconnectedPosts(app: Pick<App, 'db' | 'clock' | 'newId'>): Promise<boolean> {
  const posts = await selectDisconnectedPosts(app.db, maxInARow);
  let ended = 0;
  for (const { id, groupId, platform, isPublished } of posts) {
    if (isPublished) {
      await skipComments(app.db, id);
      ended += 1;
      continue;
    }
    const token = randomUUID();
    if (!(await claimDisconnectedPost(app.db, id, token))) continue;
    const mayBeShown = (await stepsOf(app.db, id)).some(({ makesVisible }) => makesVisible);
    const failure = mayBeShown ? outcomeUnknown() : notPublished();
    const now = app.clock.now();
    const entry = { id, token, groupId, platform, now, logId: app.newId(), eventId: app.newId() };
    await recordFailed(app.db, entry, {
      error: publishError(failure, now),
      reconnect: null,
      threadParts: null,
      head: null,
    });
    ended += 1;
  }
  return posts.length === maxInARow && ended > 0;
}

const notPublished = () =>
  new PlatformError(
    'auth',
    'The account was disconnected before the post was published. Reconnect it and publish the post again.',
  );
const outcomeUnknown = () =>
  new PlatformError(
    'unknown_outcome',
    `The account was disconnected while the post was being published. ${messages.outcomeUnknown}`,
  );

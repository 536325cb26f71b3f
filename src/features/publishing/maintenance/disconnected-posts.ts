import { randomUUID } from 'node:crypto';
import type { App } from '../../../app.ts';
import { messages, PlatformError } from '../../../platforms/kit/index.ts';
import { publishError } from '../attempt/failures.ts';
import { claimDisconnectedPost, recordFailed, selectDisconnectedPosts, skipComments } from '../attempt/post-queries.ts';
import { hasStep } from '../attempt/step-queries.ts';

/** Fails posts whose account was disconnected while they were being published: they can be neither published nor found. */
export async function failDisconnectedPosts(app: Pick<App, 'db' | 'clock' | 'newId'>) {
  for (const { id, groupId, platform, isPublished } of await selectDisconnectedPosts(app.db)) {
    if (isPublished) {
      await skipComments(app.db, id);
      continue;
    }
    const token = randomUUID();
    if (!(await claimDisconnectedPost(app.db, id, token))) continue;
    const failure = (await hasStep(app.db, id)) ? outcomeUnknown() : notPublished();
    const now = app.clock.now();
    const entry = { id, token, groupId, platform, now, logId: app.newId(), eventId: app.newId() };
    await recordFailed(app.db, entry, {
      error: publishError(failure, now),
      reconnect: null,
      threadParts: null,
      head: null,
    });
  }
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

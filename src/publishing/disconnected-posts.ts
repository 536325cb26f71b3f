import { randomUUID } from 'node:crypto';
import type { App } from '../app.ts';
import { PlatformError } from '../platforms/kit/index.ts';
import { publishError } from './failures.ts';
import { claimDisconnectedPost, recordFailed, selectDisconnectedPosts, skipComments } from './post-queries.ts';
import { hasStep } from './step-queries.ts';

/** Ends targets whose account was disconnected in the middle: without it nobody can publish them, or look for them. */
export async function failDisconnectedPosts(app: Pick<App, 'db' | 'clock' | 'newId'>) {
  for (const { id, groupId, platform, isPublished } of await selectDisconnectedPosts(app.db)) {
    if (isPublished) {
      await skipComments(app.db, id);
      continue;
    }
    const token = randomUUID();
    if (!(await claimDisconnectedPost(app.db, id, token))) continue;
    const failure = (await hasStep(app.db, id)) ? inDoubt() : notSent();
    const now = app.clock.now();
    const entry = { id, token, groupId, platform, now, logId: app.newId(), eventId: app.newId() };
    await recordFailed(app.db, entry, {
      error: publishError(failure, now),
      reconnect: false,
      threadParts: null,
      head: null,
    });
  }
}

const notSent = () =>
  new PlatformError('auth', 'The account was disconnected before the post went out. Connect it and post again.');
const inDoubt = () =>
  new PlatformError(
    'unknown_outcome',
    'The account was disconnected while the post was on its way. It may be there: check the network before you post again.',
  );

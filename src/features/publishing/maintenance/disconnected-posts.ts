import { randomUUID } from 'node:crypto';
import type { Core } from '../../../app.ts';
import type { Database, Db } from '../../../foundation/db/database.ts';
import { messages, PlatformError } from '../../../platforms/kit/index.ts';
import { claimDisconnectedPost, selectDisconnectedPosts, skipComments } from './disconnected-queries.ts';
import { type EndingApp, endBySteps } from './end-by-steps.ts';

/** Each post takes several statements, and the dispatcher does nothing else in the meantime. */
const maxInARow = 20;

/**
 * Ends posts whose account was disconnected while they were being published. They can no longer be sent or looked up,
 * so their steps decide. A post that is being sent ends with its run. Handles a few at a time and returns whether there
 * may be more.
 */
export async function endDisconnectedPosts(
  app: EndingApp & { readonly db: Database['db']; readonly log: Core['log'] },
): Promise<boolean> {
  const posts = await selectDisconnectedPosts(app.db, maxInARow);
  let ended = 0;
  for (const { id, isPublished } of posts) {
    try {
      if (isPublished) await skipComments(app.db, id);
      else if (!(await app.db.transaction().execute((tx) => end(app, tx, id)))) continue;
      ended += 1;
    } catch (error) {
      // The dispatcher runs this, and one post must not keep it from all others.
      app.log.error({ err: error, platformPostId: id }, 'a post of a disconnected account could not be ended');
    }
  }
  return posts.length === maxInARow && ended > 0;
}

/** Returns false if the post has ended or is being sent. */
async function end(app: EndingApp, tx: Db, id: string): Promise<boolean> {
  const token = randomUUID();
  const post = await claimDisconnectedPost(tx, id, token);
  if (!post) return false;
  const isPublished = await endBySteps(
    app,
    tx,
    { ...post, token },
    { unsent: notPublished(), inDoubt: outcomeUnknown() },
  );
  if (isPublished) await skipComments(tx, id);
  return true;
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

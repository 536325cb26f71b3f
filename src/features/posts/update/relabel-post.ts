import type { App } from '../../../app.ts';
import { inTransaction } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { ClaimedKey } from '../../../foundation/http/idempotency.ts';
import { inTurns } from '../../../foundation/text/in-turns.ts';
import { searchWords } from '../../../foundation/text/search-words.ts';
import { keepLabels } from '../labels/labels.ts';
import { setWords } from '../list/word-queries.ts';
import { storeEditAnswer } from './edit-answer.ts';
import { type EditableGroup, setLabels } from './edit-queries.ts';

/** Changes only the labels of a post that is being published or has ended. */
export async function relabelPost(
  app: Pick<App, 'db' | 'clock'>,
  group: EditableGroup,
  labels: readonly string[],
  claimedKey: ClaimedKey | null,
) {
  const scheduledTime = group.scheduled_at?.toISOString() ?? null;
  const answer = {
    success: true as const,
    message: 'Post updated successfully',
    scheduledTime,
    postGroup: {
      _id: group.id,
      status: group.status,
      content: group.content,
      platforms: group.posts.map(({ platform, account_id }) => `${platform}-${account_id}`),
      ...(scheduledTime && { scheduledTime }),
    },
  };
  const words = await inTurns(searchWords(group.content));
  return inTransaction(app.db, async (tx) => {
    if (!(await setLabels(tx, group, labels, app.clock.now()))) throw new Problem('post_group_not_found');
    await setWords(tx, { id: group.id, userId: group.user_id }, words, labels);
    await keepLabels(app, tx, { userId: group.user_id, labels });
    await storeEditAnswer(tx, claimedKey, answer);
    return answer;
  });
}

import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { longCharacters, readInTurn } from '../../../foundation/http/answers/long-reads.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { charactersIn, findEditable } from './edit-queries.ts';
import { contentOf, mediaOf } from './resolve-update.ts';

/** The editable fields, with the version that the update is based on. */
export async function getEditablePost(app: Pick<App, 'db'>, who: Who, id: string) {
  const first = await findEditable(app.db, who.userId, id, longCharacters);
  const read = () => findEditable(app.db, who.userId, id);
  const group = first === 'long' ? await readInTurn(who.ownerId, read, charactersIn) : first;
  if (!group) throw new Problem('post_group_not_found');
  return {
    postGroupId: group.id,
    version: group.version,
    status: group.status,
    content: group.content,
    platformContent: contentOf(group),
    platformMedia: mediaOf(group),
    platforms: group.posts.map(({ platform, account_id }) => `${platform}-${account_id}`),
    scheduledTime: group.scheduled_at?.toISOString() ?? null,
    platformSettings: group.platform_settings,
    firstComments: group.first_comments,
    ...(group.labels.length > 0 && { labels: group.labels }),
  };
}

import { sql } from 'kysely';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { type Who, whoIs } from '../http/auth.ts';
import type { StoreAnswer } from '../http/idempotency.ts';
import { staticFault } from '../media/ingestion/ingest-urls.ts';
import { type Ingested, ingestUrls } from '../media/media.ts';
import { descriptionOf } from '../platforms/descriptions.ts';
import { toDraft } from '../posts/demote.ts';
import { findTargets } from '../posts/find-targets.ts';
import { splitPlatformId } from '../posts/platform-ids.ts';
import { findEditableGroup, withEditableGroup } from './editable-group.ts';
import { type LockedGroup, setMediaIds } from './queries.ts';
import type { AttachMedia } from './schema.ts';

/** A file that somebody else holds for us. */
export interface FileReference {
  url: string;
  fileId: string;
  /** As it will be called here. */
  fileName: string;
}

const defaultName = 'chatgpt-media';
const doing = 'attach media';

/** What can be told from the request alone. */
export function readReference(app: Pick<App, 'config'>, { file, fileName }: AttachMedia): FileReference {
  const name = nameOf(fileName ?? file.file_name ?? defaultName);
  const fault = staticFault(app, file.download_url);
  if (fault) throw new Problem('attach_url_refused', { error: fault.message });
  return { url: file.download_url, fileId: file.file_id, fileName: name };
}

/** The last part of a path, with no character that needs care anywhere. */
function nameOf(path: string): string {
  const last = path.split(/[/\\]/).at(-1)!;
  const name = last
    .trim()
    .replace(/\s+/g, '_')
    .replace(/[^A-Za-z0-9_.-]/g, '');
  if (/^\.*$/.test(name)) throw new Problem('attach_name_unusable');
  return name;
}

/** What makes two calls the same: the address of a file changes from call to call. */
export const identityOf = ({ fileId, fileName }: FileReference) => ({ fileId, fileName });

type Needs = Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'egress' | 'config'>;

/** Fetches the file and puts it behind the others of the post, which is a draft then. */
export async function attachMedia(
  app: Needs,
  who: Who,
  postGroupId: string,
  { url, fileName }: FileReference,
  storeAnswer: StoreAnswer | null = null,
) {
  await findEditableGroup(app, who, postGroupId, doing);
  await using fetched = await ingestUrls(app, who, [{ url, fileName }]);
  return await withEditableGroup(app, who, postGroupId, doing, async (tx, group) => {
    await requireConnected(tx, who, group);
    await append(app, tx, group, fetched);
    const answer = answerFor(group);
    await remember(tx, storeAnswer, answer);
    return answer;
  });
}

/** Some platforms need their target to be connected still: a video would be of no use to the others. */
async function requireConnected(tx: Db, who: Who, { platformIds }: LockedGroup) {
  const wanted = platformIds.filter((id) => descriptionOf(splitPlatformId(id)!.platform)?.attachRequiresConnection);
  // Read again: the connections that are cached with the API key may be some seconds old.
  if (wanted.length > 0) await findTargets({ db: tx }, await whoIs(tx, who.userId), wanted);
}

async function append(app: Needs, tx: Db, group: LockedGroup, fetched: Ingested) {
  await fetched.commit(tx, group.id);
  const mediaIds = [...group.mediaIds, ...fetched.files.map(({ id }) => id)];
  await setMediaIds(tx, group.id, mediaIds, app.clock.now());
  // The answer says it; nobody else is told.
  await toDraft(app, tx, group.id, 'media_changed');
}

/** As update-post answers. */
const answerFor = ({ id, content, platformIds, scheduledAt }: LockedGroup) => ({
  success: true as const,
  message: 'Post updated successfully',
  scheduledTime: scheduledAt?.toISOString() ?? null,
  postGroup: {
    _id: id,
    status: 'draft' as const,
    content,
    platforms: platformIds,
    ...(scheduledAt && { scheduledTime: scheduledAt.toISOString() }),
  },
});

async function remember(tx: Db, storeAnswer: StoreAnswer | null, answer: ReturnType<typeof answerFor>) {
  if (!storeAnswer) return;
  const { rows } = await storeAnswer(sql`${JSON.stringify(answer)}::jsonb`).execute(tx);
  if (rows.length === 0) throw new Problem('idempotency_superseded');
}

import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import type { ClaimedKey } from '../../foundation/http/idempotency.ts';
import { descriptionOf } from '../../platforms/descriptions.ts';
import { type Who, whoIs } from '../auth/access/api-key.ts';
import { requireStillAllowed } from '../auth/api-keys/live-credential.ts';
import { type Ingested, ingestUrls } from '../files/files.ts';
import { staticFault } from '../files/ingestion/ingest-urls.ts';
import { findTargets } from '../posts/create/find-targets.ts';
import { splitPlatformId } from '../posts/platform-ids.ts';
import { toDraft } from '../posts/update/demote.ts';
import { storeEditAnswer } from '../posts/update/edit-answer.ts';
import { requireEditableGroup, requireRoom, withLockedGroup } from './change-media.ts';
import { findContent, type LockedGroup, setMediaIds } from './queries.ts';
import type { AttachMedia } from './schema.ts';

/** A file that another service provides. */
export interface FileReference {
  url: string;
  fileId: string;
  /** The name under which the file is stored. */
  fileName: string;
  altText: string | null;
  shared: boolean;
}

const defaultName = 'chatgpt-media';
const doing = 'attach media';

/** Parses the request and runs all checks that do not need the database. */
export function readReference(
  app: Pick<App, 'config'>,
  { file, fileName, altText, shared }: AttachMedia,
): FileReference {
  const name = nameOf(fileName ?? file.file_name ?? defaultName);
  const fault = staticFault(app, file.download_url);
  if (fault) throw new Problem('attach_url_refused', { error: fault.message });
  return { url: file.download_url, fileId: file.file_id, fileName: name, altText, shared };
}

/** The last part of a path, with safe characters only. */
function nameOf(path: string): string {
  const last = path.split(/[/\\]/).at(-1)!;
  const name = last
    .trim()
    .replace(/\s+/g, '_')
    .replace(/[^A-Za-z0-9_.-]/g, '');
  if (/^\.*$/.test(name)) throw new Problem('attach_name_unusable');
  return name;
}

/** The fields that identify a retry. The URL of a file differs from call to call. */
export const identityOf = ({ fileId, fileName, altText, shared }: FileReference) => ({
  fileId,
  fileName,
  ...(altText !== null && { altText }),
  ...(!shared && { shared }),
});

/** Fetches the file and appends it to the files of the post, which becomes a draft. */
export async function attachMedia(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'egress' | 'config'>,
  who: Who,
  postGroupId: string,
  { url, fileName, altText, shared }: FileReference,
  claimedKey: ClaimedKey | null = null,
) {
  await requireEditableGroup(app, who, postGroupId, doing);
  await using fetched = await ingestUrls(app, who, [{ url, fileName, altText, shared }]);
  return await withLockedGroup(app, who, postGroupId, doing, async (tx, group) => {
    await requireStillAllowed(app, tx, who);
    await requireConnected(tx, who, group);
    await append(app, tx, group, fetched);
    const answer = answerFor(group, await findContent(tx, group.id));
    await storeEditAnswer(tx, claimedKey, answer);
    return answer;
  });
}

/** Some platforms reject media for a target that is no longer connected. */
async function requireConnected(tx: Db, who: Who, { platformIds }: LockedGroup) {
  const wanted = platformIds.filter((id) => descriptionOf(splitPlatformId(id)!.platform)?.attachRequiresConnection);
  // Read again: the connections cached with the API key may be a few seconds old.
  if (wanted.length > 0) await findTargets({ db: tx }, await whoIs(tx, who.userId), wanted);
}

async function append(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'storage' | 'egress' | 'config'>,
  tx: Db,
  group: LockedGroup,
  fetched: Ingested,
) {
  await fetched.commit(tx, group.id);
  const mediaIds = [...group.mediaIds, ...fetched.files.map(({ id }) => id)];
  requireRoom(mediaIds.length);
  await setMediaIds(tx, group.id, mediaIds, app.clock.now());
  // The contract has no event for this.
  await toDraft(app, tx, group.id, 'media_changed');
}

/** The response of update-post. */
const answerFor = ({ id, platformIds, scheduledAt }: LockedGroup, content: string) => ({
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

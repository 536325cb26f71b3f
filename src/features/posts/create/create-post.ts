import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import { type Db, inTransaction } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { type ClaimedKey, storeAnswer } from '../../../foundation/http/idempotency.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { inTurns } from '../../../foundation/text/in-turns.ts';
import { searchWords } from '../../../foundation/text/search-words.ts';
import { checkSettingsForTargets } from '../../../platforms/settings.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { recheckWhenSlow } from '../../auth/api-keys/live-credential.ts';
import { type Ingested, ingestUrls, selectMedia, type UrlResult } from '../../files/files.ts';
import { findNextSlot, takeNextSlot } from '../../slots/next-slot.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { throwQuotaProblem } from '../../users/within-quotas.ts';
import { checkFirstComments, fieldSent, readFirstComments } from '../first-comments.ts';
import { keepLabels } from '../labels/labels.ts';
import { requireFilesOfPost } from '../platform-media.ts';
import { settingsToStore } from '../post-settings.ts';
import type { CreatePost } from '../schema.ts';
import { findOutline } from '../update/edit-queries.ts';
import { requireValid, validatePost } from '../validate/validation.ts';
import { createTogether } from './create-together.ts';
import { withDuplicates } from './duplicate-queries.ts';
import { commentTarget, findTargets, playground, requireAvailable } from './find-targets.ts';
import { type Reservation, withinPlanLimits } from './plan-limits.ts';
import { insertGroups, type NewGroup } from './queries.ts';
import { acceptTime, isFuture, nextSlot, requestedTime } from './scheduled-time.ts';
import { checkedTexts, contentsFor, newTarget, ownOnly, requireKnown } from './target-content.ts';
import { requirePublicImages } from './thumbnail-ownership.ts';

/** A warning can have more fields, depending on its code. */
type Warning = { code: string; message: string; [more: string]: Json };
type Answer = {
  success: true;
  postGroupId: string;
  scheduledTime: string | null;
  warnings?: Warning[];
  media?: UrlResult[];
};
export type PostWritingApp = Pick<
  App,
  'db' | 'clock' | 'newId' | 'config' | 'storage' | 'egress' | 'platformAccess' | 'sealingKeys' | 'log' | 'publicUrl'
>;

/** Stores a draft, a scheduled post, or a post that is due now and is picked up by the dispatcher. */
export async function createPostGroup(
  app: PostWritingApp,
  who: Who,
  input: CreatePost,
  claimedKey: ClaimedKey | null = null,
) {
  const recheck = recheckWhenSlow(app, who);
  const intent = await readIntent(app, who, input);
  // The files that it gets now have no ids yet that a request could name.
  requireFilesOfPost(input.platformMedia ?? {}, []);
  const answer: Answer = {
    success: true,
    postGroupId: app.newId(),
    scheduledTime: intent.at?.toISOString() ?? null,
    ...(intent.warnings.length > 0 && { warnings: intent.warnings }),
  };
  await using fetched = await fetchMedia(app, who, input);
  if (fetched) answer.media = fetched.results;
  if (intent.targets === playground) return await acknowledge(app, answer, claimedKey);
  const isScheduled = intent.status === 'scheduled';
  if (isScheduled) await requireValid(app, who, { ...intent, media: fetched?.files ?? [] });
  const words = await inTurns(searchWords(intent.content));
  const group = groupOf(app, who, { ...intent, words }, answer.postGroupId, fetched);
  const store = async (db: Db, reservation: Reservation | null, at = intent.at) => {
    // Access may have ended while files were fetched, a network was asked or other posts took their slots.
    await recheck(db);
    const sent = { ...answer, scheduledTime: at?.toISOString() ?? null };
    const post = { group: { ...group, scheduledAt: at }, reservation, answer: sent, claimedKey };
    if (!fetched && group.labels.length === 0) return createTogether(db, post);
    return inTransaction(db, async (tx) => {
      const [stored] = await insertGroups(tx, [post]);
      if (stored) await fetched?.commit(tx, group.id);
      if (stored) await keepLabels(app, tx, group);
      return stored;
    });
  };
  const wanted = {
    platformIds: input.platforms,
    at: intent.at!,
    takeSlot: intent.slot && ((tx: Db) => takeNextSlot(tx, intent.slot!)),
    queued: !intent.publishNow,
  };
  const save = () =>
    isScheduled ? withinPlanLimits(app, who, wanted, store) : store(app.db, null).catch(throwQuotaProblem);
  // Drafts, files and labels are counted under a lock.
  const needsLock = !isScheduled || fetched !== null || group.labels.length > 0;
  const stored = await (needsLock ? inLockTurn(who.ownerId, save) : save());
  if (!stored) throw new Problem('idempotency_superseded');
  return stored;
}

/** Runs after all other checks of the request, because it is slow and counts against the URL limit. */
export const fetchMedia = async (app: PostWritingApp, who: Who, { mediaUrls }: Pick<CreatePost, 'mediaUrls'>) =>
  mediaUrls ? ingestUrls(app, who, mediaUrls) : null;

/**
 * Runs the checks of create-post without storing anything (an addition to the contract). Does not call platforms: the
 * permissions they granted are checked when a post is scheduled and cannot be read earlier
 * (contract.md#threads.permission).
 */
export async function validateNewPost(
  app: PostWritingApp,
  who: Who,
  input: CreatePost,
  { mediaIds, ...query }: { postGroupId?: string | undefined; mediaIds?: string | undefined } = {},
) {
  const postGroupId = query.postGroupId?.toLowerCase() ?? null;
  const intent = await readIntent(app, who, input);
  const targets = intent.targets === playground ? [] : intent.targets;
  const attached = await (mediaIds === undefined
    ? attachedFiles(app, who, postGroupId)
    : filesById(app, who, mediaIds === '' ? [] : mediaIds.toLowerCase().split(',')));
  requireFilesOfPost(
    input.platformMedia ?? {},
    attached.map(({ id }) => id),
  );
  await using fetched = await fetchMedia(app, who, input);
  const media = [...attached, ...(fetched?.files ?? [])];
  const validation = await validatePost({ ...intent, targets, media, plan: who.plan, client: who.client });
  const texts = checkedTexts(targets);
  const noted = intent.warnings.length > 0 ? { warnings: intent.warnings } : {};
  if (intent.targets === playground) return { success: true as const, validation, texts, ...noted };
  // Without a time, check whether the post could be published now.
  const post = { id: postGroupId, scheduledAt: intent.at ?? app.clock.now(), targets: newTargets(app, intent) };
  const { warnings } = await withDuplicates<{ warnings?: Warning[] }>(app.db, post, noted);
  return { success: true as const, validation, texts, ...(warnings && { warnings }) };
}

/** Metadata of the files of a post, in order. A file that is still being uploaded has none yet. */
async function attachedFiles(app: PostWritingApp, { userId }: Who, postGroupId: string | null) {
  if (!postGroupId) return [];
  const group = await findOutline(app.db, userId, postGroupId);
  if (!group) throw new Problem('post_group_not_found');
  return filesById(app, { userId }, group.media_ids);
}

/** In the order of the ids. Files that do not exist are left out. */
async function filesById({ db }: PostWritingApp, { userId }: Pick<Who, 'userId'>, ids: readonly string[]) {
  const files = await selectMedia(db, userId, ids);
  return ids.flatMap((id) => files.find((file) => file.id === id) ?? []);
}

/** Parses the request and runs all checks that do not need its media. */
async function readIntent(app: PostWritingApp, who: Who, input: CreatePost) {
  const settings = settingsToStore(input.platformSettings, { stored: null, booleans: 'create' });
  requirePublicImages(app, settings);
  const firstComments = readFirstComments(input) ?? [];
  const { at, slot, publishNow, warnings } = await timeOf(app, who, input);
  // A post with the status "draft" is not scheduled, even if it has a time.
  const status: 'draft' | 'scheduled' = at && input.status !== 'draft' ? 'scheduled' : 'draft';
  const labels = input.labels ?? [];
  const base = { content: input.content, status, settings, firstComments, labels, at, slot, publishNow };
  if (input.platforms.length === 1 && input.platforms[0] === playground) {
    return { ...base, targets: playground, warnings };
  }
  const targets = await findTargets(app, who, input.platforms);
  checkSettingsForTargets(
    settings,
    targets.map(({ connection }) => connection),
  );
  requireAvailable(who, targets);
  const ownContent = requireKnown(input.platformContent ?? {}, input.platforms, 'platformContent');
  const ownMedia = ownOnly(requireKnown(input.platformMedia ?? {}, input.platforms, 'platformMedia'));
  const comments = checkFirstComments(firstComments, targets.map(commentTarget), fieldSent(input));
  return {
    ...base,
    targets: await contentsFor(targets, input.content, ownContent, ownMedia),
    warnings: [...warnings, ...comments.warnings.map((warning): Warning => ({ ...warning }))],
  };
}

type Intent = Exclude<Awaited<ReturnType<typeof readIntent>>, { targets: typeof playground }>;

const staysDraft = {
  code: 'SCHEDULED_TIME_MISSING',
  message: 'The post was stored as a draft: status scheduled needs a scheduledTime or publishNow.',
};

async function timeOf(app: PostWritingApp, { userId, ownerId }: Who, input: CreatePost) {
  const { publishNow = false, status, platforms } = input;
  const scheduledTime = requestedTime(input);
  const warnings: Warning[] = [];
  if (publishNow) {
    if (status === 'draft' || isFuture(app.clock, scheduledTime)) throw new Problem('publish_now_conflict');
    return { at: app.clock.now(), slot: null, publishNow, warnings };
  }
  if (!scheduledTime) {
    if (status === 'scheduled') warnings.push(staysDraft);
    return { at: null, slot: null, publishNow, warnings };
  }
  if (scheduledTime === nextSlot) {
    const slot = { userId, ownerId, platformIds: platforms, after: app.clock.now(), exceptGroupId: null };
    return { at: await findNextSlot(app.db, slot), slot, publishNow, warnings };
  }
  const { at, warning } = acceptTime(scheduledTime, { clock: app.clock, strictPastTimes: app.config.strictPastTimes });
  if (warning) warnings.push(warning);
  return { at, slot: null, publishNow, warnings };
}

function groupOf(
  app: PostWritingApp,
  who: Who,
  intent: Intent & Pick<NewGroup, 'words'>,
  id: string,
  fetched: Ingested | null,
): NewGroup {
  return {
    id,
    userId: who.userId,
    content: intent.content,
    words: intent.words,
    status: intent.status,
    scheduledAt: intent.at,
    publishNow: intent.publishNow,
    settings: intent.settings,
    firstComments: intent.firstComments as unknown as Json,
    mediaIds: fetched?.files.map((file) => file.id) ?? [],
    labels: intent.labels,
    targets: newTargets(app, intent),
    logId: app.newId(),
    eventId: app.newId(),
    now: app.clock.now(),
  };
}

const newTargets = ({ newId }: Pick<App, 'newId'>, { targets }: Intent) =>
  targets.map((target) => newTarget(newId(), target));

/** The response for the playground is stored for retries like any other. Nothing else is stored. */
async function acknowledge(app: PostWritingApp, answer: Answer, claimedKey: ClaimedKey | null): Promise<Answer> {
  if (!claimedKey) return answer;
  const { rows } = await storeAnswer(claimedKey, sql`${JSON.stringify(answer)}::jsonb`).execute(app.db);
  if (rows.length === 0) throw new Problem('idempotency_superseded');
  return answer;
}

import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { checkSettingsForTargets } from '../../../platforms/settings.ts';
import type { Who } from '../../auth/access/api-key.ts';
import { findNextSlot, type SlotRequest } from '../../slots/next-slot.ts';
import { commentTarget, findTargets, requireAvailable } from '../create/find-targets.ts';
import { acceptTime, isFuture, nextSlot, requestedTime } from '../create/scheduled-time.ts';
import { contentsFor, ownOnly, requireKnown, type TargetContent } from '../create/target-content.ts';
import type { FirstComment } from '../first-comment-schema.ts';
import { checkFirstComments, fieldSent, readFirstComments } from '../first-comments.ts';
import { requireFilesOfPost } from '../platform-media.ts';
import { settingsToStore } from '../post-settings.ts';
import type { UpdatePost } from '../schema.ts';
import type { EditableGroup } from './edit-queries.ts';

/** The group as it will be after the update. */
export interface Edit {
  status: 'draft' | 'scheduled';
  content: string;
  platformIds: readonly string[];
  targets: readonly TargetContent[];
  /** The targets that are checked against the plan limits and counted. */
  counted: readonly string[];
  settings: Record<string, Json>;
  firstComments: FirstComment[];
  labels: readonly string[];
  at: Date | null;
  /**
   * Set if the time is the next posting slot. The slot is taken when the update is stored, and `at` is only an
   * estimate.
   */
  slot: SlotRequest | null;
  publishNow: boolean;
  warnings: { code: string; message: string; [more: string]: Json }[];
}

/** Fields missing from the request keep their values. */
export async function resolveUpdate(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  who: Who,
  group: EditableGroup,
  input: UpdatePost,
): Promise<Edit> {
  const status = input.publishNow ? 'scheduled' : input.status || statusOf(group);
  const current = group.posts.map(({ platform, account_id }) => `${platform}-${account_id}`);
  const added = [...new Set(input.platforms).difference(new Set(current))];
  const targetsChange = input.platforms !== undefined && (added.length > 0 || input.platforms.length < current.length);
  const platformIds = targetsChange ? input.platforms! : current;
  const { at, slot, publishNow, warnings } = await timeOf(app, who, group, input, status, platformIds);
  const settings =
    input.platformSettings === undefined
      ? group.platform_settings
      : settingsToStore(input.platformSettings, { stored: group.platform_settings, booleans: 'update' });
  const sentComments = readFirstComments(input);
  const firstComments = sentComments === undefined ? group.first_comments : (sentComments ?? []);

  if (status === 'scheduled' && platformIds.length === 0) throw new Problem('platforms_required');
  const targets = await findTargets(app, who, platformIds, status === 'draft' ? current : []);
  checkSettingsForTargets(
    settings,
    targets.map(({ connection }) => connection),
  );
  // The targets of a scheduled post are already counted. New targets are counted, and all of them if the time changes,
  // because that may be another month. Publishing now does not count them again.
  const becomesScheduled = status === 'scheduled' && group.status !== 'scheduled';
  const isOtherTime = slot !== null || at?.getTime() !== group.scheduled_at?.getTime();
  const moves = status === 'scheduled' && !publishNow && isOtherTime;
  const newlyCounted = becomesScheduled || moves ? platformIds : added;
  const newIds = new Set(newlyCounted);
  requireAvailable(
    who,
    targets.filter(({ platformId }) => newIds.has(platformId)),
  );
  const field = sentComments ? fieldSent(input) : undefined;
  const { warnings: commentWarnings } =
    sentComments || targetsChange || becomesScheduled || input.publishNow
      ? checkFirstComments(firstComments, targets.map(commentTarget), field)
      : { warnings: [] };

  const content = input.content ?? group.content;
  const sentContent = requireKnown(input.platformContent ?? {}, platformIds, 'platformContent');
  const sentMedia = requireKnown(input.platformMedia ?? {}, platformIds, 'platformMedia');
  requireFilesOfPost(sentMedia, group.media_ids);
  const ownContent = ownOnly({ ...contentOf(group), ...sentContent });
  const ownMedia = ownOnly({ ...mediaOf(group), ...sentMedia });
  const contents = await contentsFor(targets, content, ownContent, ownMedia);
  return {
    status,
    content,
    platformIds,
    targets: contents,
    counted: status === 'scheduled' ? newlyCounted : [],
    settings,
    firstComments,
    labels: input.labels ?? group.labels,
    at,
    slot,
    publishNow,
    warnings: [...warnings, ...commentWarnings.map((warning) => ({ ...warning }))],
  };
}

const statusOf = ({ status }: EditableGroup) => (status === 'scheduled' ? 'scheduled' : 'draft');

type StoredTarget = EditableGroup['posts'][number];

const byConnection = <T>({ posts }: EditableGroup, of: (post: StoredTarget) => T | null): Record<string, T> =>
  ownOnly(Object.fromEntries(posts.map((post) => [`${post.platform}-${post.account_id}`, of(post)])));

/** The texts and files of targets that do not use those of the group, by connection id. */
export const contentOf = (group: EditableGroup) => byConnection(group, ({ own_content }) => own_content);
export const mediaOf = (group: EditableGroup) => byConnection(group, ({ media_ids }) => media_ids && [...media_ids]);

async function timeOf(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { ownerId }: Who,
  group: EditableGroup,
  input: UpdatePost,
  nextStatus: 'draft' | 'scheduled',
  platformIds: readonly string[],
) {
  const { publishNow = false, status } = input;
  const scheduledTime = requestedTime(input);
  const rules = { clock: app.clock, strictPastTimes: app.config.strictPastTimes };
  const now = app.clock.now();
  if (publishNow) {
    if (status === 'draft' || isFuture(app.clock, scheduledTime)) throw new Problem('publish_now_conflict');
    return { at: now, slot: null, publishNow, warnings: [] };
  }
  if (scheduledTime === nextSlot) {
    const slot = { userId: group.user_id, ownerId, platformIds, after: now, exceptGroupId: group.id };
    return { at: await findNextSlot(app.db, slot), slot, publishNow, warnings: [] };
  }
  const stored = group.scheduled_at;
  // The time of a scheduled post was checked when it was scheduled. The time of a draft is checked now.
  const becomesScheduled = nextStatus === 'scheduled' && group.status !== 'scheduled';
  const requested = scheduledTime || (becomesScheduled ? stored?.toISOString() : undefined);
  if (requested) {
    const { at, warning } = acceptTime(requested, rules);
    return { at, slot: null, publishNow, warnings: warning ? [warning] : [] };
  }
  const stillNow = group.publish_now && group.status === 'scheduled' && nextStatus === 'scheduled';
  const at = stored ?? (nextStatus === 'scheduled' ? now : null);
  return { at, slot: null, publishNow: stillNow, warnings: [] };
}

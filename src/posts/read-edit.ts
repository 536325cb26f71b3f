import type { App } from '../app.ts';
import { Problem } from '../errors.ts';
import type { Who } from '../http/auth.ts';
import type { Json } from '../lib/json.ts';
import { parseInstant } from '../lib/times.ts';
import { checkSettingsForTargets, readSettings } from '../platforms/settings.ts';
import { commentTarget } from './create-post.ts';
import type { EditableGroup } from './edit-queries.ts';
import type { FirstComment } from './first-comment-schema.ts';
import { checkFirstComments, fieldSent, readFirstComments } from './first-comments.ts';
import { type PlannedTarget, planTarget } from './plan-targets.ts';
import { acceptTime } from './scheduled-time.ts';
import type { UpdatePost } from './schema.ts';
import { findTargets, requireAvailable } from './targets.ts';

/** What the group will be after the edit. */
export interface Edit {
  status: 'draft' | 'scheduled';
  content: string;
  platformIds: readonly string[];
  targets: readonly PlannedTarget[];
  /** Those of the targets that the limits of the plan are looked at for, and that are counted anew. */
  counted: readonly string[];
  settings: Record<string, Json>;
  firstComments: FirstComment[];
  at: Date | null;
  publishNow: boolean;
  warnings: { code: string; message: string; [more: string]: Json }[];
}

/** A field that is absent changes nothing. */
export async function readEdit(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  who: Who,
  group: EditableGroup,
  input: UpdatePost,
): Promise<Edit> {
  const status = input.publishNow ? 'scheduled' : input.status || statusOf(group);
  const { at, publishNow, warnings } = timeOf(app, group, input, status);
  const { settings, given } =
    input.platformSettings === undefined
      ? { settings: group.platform_settings, given: {} }
      : readSettings(input.platformSettings, { stored: group.platform_settings, booleans: 'update' });
  const sentComments = readFirstComments(input);
  const firstComments = sentComments === undefined ? group.first_comments : (sentComments ?? []);

  const current = group.posts.map(({ platform, account_id }) => `${platform}-${account_id}`);
  const added = input.platforms?.filter((id) => !current.includes(id)) ?? [];
  const targetsChange = input.platforms !== undefined && (added.length > 0 || input.platforms.length < current.length);
  const platformIds = targetsChange ? input.platforms! : current;
  if (status === 'scheduled' && platformIds.length === 0) throw new Problem('platforms_required');
  const targets = await findTargets(app, who, platformIds, status === 'draft' ? current : []);
  checkSettingsForTargets(
    settings,
    given,
    targets.map(({ connection }) => connection),
  );
  // A scheduled post has its place in the plan already: what is new to it is looked at, or all of it at another time.
  // To publish it now keeps its place.
  const becomesScheduled = status === 'scheduled' && group.status !== 'scheduled';
  const moves = status === 'scheduled' && !publishNow && at?.getTime() !== group.scheduled_at?.getTime();
  const anew = becomesScheduled || moves ? platformIds : added;
  requireAvailable(
    who,
    targets.filter(({ platformId }) => anew.includes(platformId)),
  );
  const field = sentComments ? fieldSent(input) : undefined;
  const { warnings: commentWarnings } =
    sentComments || targetsChange || becomesScheduled || input.publishNow
      ? checkFirstComments(firstComments, targets.map(commentTarget), field)
      : { warnings: [] };

  const content = input.content ?? group.content;
  const planned = targets.map((target) => {
    const kept = group.posts.find(({ platform, account_id }) => `${platform}-${account_id}` === target.platformId);
    return planTarget(target, kept?.content_overridden ? kept.content : content);
  });
  return {
    status,
    content,
    platformIds,
    targets: planned,
    counted: status === 'scheduled' ? anew : [],
    settings,
    firstComments,
    at,
    publishNow,
    warnings: [...warnings, ...commentWarnings.map((warning) => ({ ...warning }))],
  };
}

/** An editable group is one or the other. */
const statusOf = ({ status }: EditableGroup) => (status === 'scheduled' ? 'scheduled' : 'draft');

function timeOf(
  app: Pick<App, 'clock' | 'config'>,
  group: EditableGroup,
  { scheduledTime, publishNow = false, status }: UpdatePost,
  nextStatus: 'draft' | 'scheduled',
) {
  const rules = { clock: app.clock, strictPastTimes: app.config.strictPastTimes };
  const now = app.clock.now();
  if (publishNow) {
    const requested = scheduledTime ? parseInstant(scheduledTime) : null;
    if (status === 'draft' || (requested && requested > now)) throw new Problem('publish_now_conflict');
    return { at: now, publishNow, warnings: [] };
  }
  const stored = group.scheduled_at;
  // A time that was accepted when the post was scheduled stays accepted; one stored with a draft is looked at anew.
  const becomesScheduled = nextStatus === 'scheduled' && group.status !== 'scheduled';
  const requested = scheduledTime || (becomesScheduled ? stored?.toISOString() : undefined);
  if (requested) {
    const { at, warning } = acceptTime(requested, rules);
    return { at, publishNow, warnings: warning ? [warning] : [] };
  }
  const stillNow = group.publish_now && group.status === 'scheduled' && nextStatus === 'scheduled';
  return { at: stored ?? (nextStatus === 'scheduled' ? now : null), publishNow: stillNow, warnings: [] };
}

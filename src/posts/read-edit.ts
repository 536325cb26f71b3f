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
  settings: Record<string, Json>;
  firstComments: FirstComment[];
  at: Date | null;
  publishNow: boolean;
  warnings: { code: string; message: string; [more: string]: Json }[];
}

/** A field that is absent changes nothing (decisions, update-post). */
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
  const platformIds = input.platforms ?? current;
  if (status === 'scheduled' && platformIds.length === 0) throw new Problem('platforms_required');
  const targets = await findTargets(app, who, platformIds);
  checkSettingsForTargets(
    settings,
    given,
    targets.map(({ connection }) => connection),
  );
  requireAvailable(
    who,
    status === 'scheduled' ? targets : targets.filter(({ platformId }) => !current.includes(platformId)),
  );
  const field = sentComments ? fieldSent(input) : undefined;
  const comments = checkFirstComments(firstComments, targets.map(commentTarget), field);

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
    settings,
    firstComments,
    at,
    publishNow,
    warnings: [...warnings, ...comments.warnings.map((warning) => ({ ...warning }))],
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
  return { at: stored ?? (nextStatus === 'scheduled' ? now : null), publishNow, warnings: [] };
}

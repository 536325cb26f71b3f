import type { EditablePost } from '@crier/client';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { instantOf, isDateKey } from '../../../lib/time/time.ts';
import type { Comment, Draft, Settings } from '../draft.ts';
import { withoutOrphans } from '../options/relevance.ts';
import type { SettingsForm } from '../options/settings-form.ts';

/** Converts between drafts and API fields. */

type Forms = Readonly<Record<string, SettingsForm>>;

export function draftOf(post: EditablePost, timeZone: string): Draft {
  return {
    text: post.content,
    channels: post.platforms,
    overrides: post.platformContent,
    settings: post.platformSettings as Draft['settings'],
    comments: post.firstComments.map(({ text, delaySeconds = 0, platforms = [] }) => ({
      text,
      delaySeconds,
      platforms,
    })),
    labels: post.labels ?? [],
    ...(post.scheduledTime ? dateAndTimeOf(new Date(post.scheduledTime), timeZone) : { date: '', time: '' }),
    files: null,
    ownFiles: {},
  };
}

/** The fields of `validate-post`. */
export const contentOf = (draft: Draft, forms: Forms) => ({
  content: draft.text,
  platforms: [...draft.channels],
  platformContent: Object.fromEntries(
    Object.entries(draft.overrides).filter(([channel]) => draft.channels.includes(channel)),
  ),
  platformSettings: settingsFor(draft, forms, ({ isForNewPosts }) => isForNewPosts),
  firstComments: commentsOf(draft),
});

/** The fields of `create-post`. */
export const newPostOf = (draft: Draft, forms: Forms) => ({ ...contentOf(draft, forms), labels: [...draft.labels] });

/** The fields of `update-post`. A channel without its own text gets the shared one again. */
export const changesOf = (draft: Draft, forms: Forms) => ({
  content: draft.text,
  platforms: [...draft.channels],
  platformContent: Object.fromEntries(draft.channels.map((channel) => [channel, draft.overrides[channel] ?? null])),
  platformSettings: settingsFor(draft, forms, () => true),
  firstComments: commentsOf(draft),
  labels: [...draft.labels],
});

/**
 * Whether the server's version matches the draft. Options that the draft doesn't set, and times that are still incomplete, don't
 * count.
 */
export function isAsStored(stored: Draft, draft: Draft, timeZone: string): boolean {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const textsOf = ({ channels, overrides }: Draft) => channels.map((channel) => overrides[channel] ?? null);
  const settingsAre = platformsOf(draft).every((platform) =>
    Object.entries(draft.settings[platform] ?? {}).every(([name, value]) =>
      same(stored.settings[platform]?.[name] ?? null, value ?? null),
    ),
  );
  const at = instantIn(draft, timeZone);
  return (
    stored.text === draft.text &&
    same(stored.channels, draft.channels) &&
    same(textsOf(stored), textsOf(draft)) &&
    same(commentsOf(stored), commentsOf(draft)) &&
    same(stored.labels, draft.labels) &&
    settingsAre &&
    (at === null || at === instantIn(stored, timeZone))
  );
}

/** Compared as an instant, because a skipped time is stored as a later one. Null: still incomplete. */
function instantIn({ date, time }: Draft, timeZone: string): number | null {
  const isSettled = isDateKey(date) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  return isSettled ? instantOf(date, time, timeZone).getTime() : null;
}

const platformsOf = ({ channels }: Pick<Draft, 'channels'>) => [
  ...new Set(channels.map((channel) => channel.slice(0, channel.indexOf('-')))),
];

function settingsFor(draft: Draft, forms: Forms, isWanted: (field: SettingsForm['fields'][number]) => boolean) {
  const entries = platformsOf(draft).flatMap((platform) => {
    const own: Settings = withoutOrphans(platform, draft.settings[platform] ?? {});
    const wanted = (forms[platform]?.fields ?? []).filter((field) => field.name in own && isWanted(field));
    return wanted.length > 0 ? [[platform, Object.fromEntries(wanted.map(({ name }) => [name, own[name]]))]] : [];
  });
  return Object.fromEntries(entries) as Record<string, Record<string, never>>;
}

const commentsOf = ({ comments }: { comments: readonly Comment[] }) =>
  comments
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, delaySeconds, platforms }) => ({
      text,
      ...(delaySeconds > 0 && { delaySeconds }),
      ...(platforms.length > 0 && { platforms: [...platforms] }),
    }));

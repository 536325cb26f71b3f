import type { App } from '../../../app.ts';
import { plans } from '../../../config/plans.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { Input } from '../../insights/linkedin/input.ts';
import { deletePeopleSeenBefore, type Mentionable, selectPeople } from './people-queries.ts';

/** LinkedIn allows applications to store member activity for 48 hours. */
const rememberedMs = 48 * 3_600_000;
const defaultLimit = 25;
const maxLimit = 100;

/** People that a comment or commentary can mention, newest first. */
export async function listMentionables({ db, clock }: Pick<App, 'db' | 'clock'>, who: Who, { q, limit }: Input) {
  if (!plans[who.plan].features.mentionables) throw new Problem('linkedin_mentionables_unavailable');
  const words = typeof q === 'string' ? q.trim() : '';
  const people = await selectPeople(db, who.userId, {
    pattern: `%${words.replace(/[\\%_]/g, '\\$&')}%`,
    since: forgottenBefore(clock),
    limit: readLimit(limit),
  });
  return { success: true as const, people: people.map(present) };
}

/** Deletes people who were not seen again in time. */
export const forgetPeople = ({ db, clock }: Pick<App, 'db' | 'clock'>) =>
  deletePeopleSeenBefore(db, forgottenBefore(clock));

const forgottenBefore = (clock: App['clock']) => new Date(clock.now().getTime() - rememberedMs);

/** As in list-posts: a value that is not a number becomes the default, and a number out of range is clamped. */
function readLimit(limit: unknown): number {
  const wanted = Math.trunc(Number(limit));
  return wanted ? Math.min(maxLimit, Math.max(1, wanted)) : defaultLimit;
}

const present = ({ personId, name, source, lastSeenAt }: Mentionable) => ({
  personId,
  name,
  profileUrl: '',
  profilePicture: '',
  source,
  lastSeenAt: lastSeenAt.toISOString(),
  mention: mentionOf(personId, name),
});

/** Null for a name that cannot be written in the mention syntax. */
const mentionOf = (personId: string, name: string) =>
  /[{}|\n]/.test(name) ? null : `@{urn:li:person:${personId}|${name}}`;

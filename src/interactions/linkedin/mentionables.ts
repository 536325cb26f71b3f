import type { App } from '../../app.ts';
import { Problem } from '../../errors.ts';
import type { Who } from '../../http/auth.ts';
import type { Input } from '../../insights/linkedin/input.ts';
import { plans } from '../../lib/plans.ts';
import { type Mentionable, selectPeople } from './people-queries.ts';

const defaultLimit = 25;
const maxLimit = 100;

/** People that a comment or commentary can mention, newest first. */
export async function listMentionables({ db }: Pick<App, 'db'>, who: Who, { q, limit }: Input) {
  if (!plans[who.plan].features.mentionables) throw new Problem('linkedin_mentionables_unavailable');
  const words = typeof q === 'string' ? q.trim() : '';
  const people = await selectPeople(db, who.userId, `%${words.replace(/[\\%_]/g, '\\$&')}%`, readLimit(limit));
  return { success: true as const, people: people.map(present) };
}

/** As in list-posts: anything but a number becomes the default, and a number out of range the nearest in range. */
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

/** Null for a name that cannot be written in the syntax of mentions. */
const mentionOf = (personId: string, name: string) =>
  /[{}|\n]/.test(name) ? null : `@{urn:li:person:${personId}|${name}}`;

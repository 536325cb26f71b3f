import type { App } from '../../app.ts';
import { Problem } from '../../errors.ts';
import type { Who } from '../../http/auth.ts';
import type { Input } from '../../insights/linkedin/input.ts';
import { plans } from '../../lib/plans.ts';
import { type SeenPerson, selectPeople } from './people-queries.ts';

const usual = 25;
const most = 100;

/** People that a comment or commentary can mention, newest first. */
export async function listMentionables({ db }: Pick<App, 'db'>, who: Who, { q, limit }: Input) {
  if (!plans[who.plan].features.mentionables) throw new Problem('linkedin_mentionables_unavailable');
  const words = typeof q === 'string' ? q.trim() : '';
  const people = await selectPeople(db, who.userId, `%${words.replace(/[\\%_]/g, '\\$&')}%`, readLimit(limit));
  return { success: true as const, people: people.map(present) };
}

/** As in the lists of posts: what is no number is the usual one, and what is out of bounds is brought within. */
function readLimit(limit: unknown): number {
  const wanted = Math.trunc(Number(limit));
  return wanted ? Math.min(most, Math.max(1, wanted)) : usual;
}

const present = ({ personId, name, source, lastSeenAt }: SeenPerson) => ({
  personId,
  name,
  profileUrl: '',
  profilePicture: '',
  source,
  lastSeenAt: lastSeenAt.toISOString(),
  mention: mentionOf(personId, name),
});

/** Null for a name that the syntax of mentions cannot hold. */
const mentionOf = (personId: string, name: string) =>
  /[{}|\n]/.test(name) ? null : `@{urn:li:person:${personId}|${name}}`;

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import { plannedAnew } from '../../../foundation/db/prepared-statements.ts';
import { isPrefix } from '../../../foundation/text/search-words.ts';

/** The words of a text, stored for the search. `words` is the result of `searchWords`. */
const tsvectorOf = (userId: string, words: readonly string[]): RawBuilder<unknown> =>
  sql`array_to_tsvector(${taggedWords(userId, words)}::text[])`;

export const taggedWords = (userId: string, words: readonly string[]) => words.map((word) => tagOf(userId) + word);

export const setWords = (
  tx: Db,
  group: { id: string; userId: string },
  words: readonly string[],
  labels: readonly string[],
) =>
  sql`
    insert into post_words (post_group_id, user_id, words)
    values (${group.id}, ${group.userId}, ${tsvectorOf(group.userId, [...words, ...labels.map(labelWord)])})
    on conflict (post_group_id) do update set words = excluded.words`.execute(tx);

/** A label is stored among the words, with a prefix that no word has. */
export const labelWord = (label: string) => `#${label}`;

/** The result of a search: the matching groups or, if there are many, the terms that each group must contain. */
export type Found = { ids: readonly string[] } | { terms: readonly string[] };

/** Sorting this many groups takes as long as scanning a million groups in order until a page of matches is full. */
const maxFound = 5_000;

export async function findByWords(db: Db, userId: string, terms: readonly string[]): Promise<Found> {
  if (terms.length === 0) return { ids: [] };
  // A generic plan reads all positions of the words from the index, even if every post contains them: 130 ms instead
  // of 6.
  const { rows } = await sql<{ id: string }>`${plannedAnew}
    select post_group_id as id from post_words
    where user_id = ${userId} and words @@ ${queryOf(userId, terms)}::tsquery limit ${maxFound + 1}`.execute(db);
  return rows.length > maxFound ? { terms } : { ids: rows.map(({ id }) => id) };
}

/** A condition on `post_groups`. */
export const isFound = (userId: string, found: Found): RawBuilder<unknown> =>
  'ids' in found
    ? sql`id = any (${found.ids}::text[])`
    : sql`exists (
        select from post_words where post_group_id = post_groups.id and words @@ ${queryOf(userId, found.terms)}::tsquery)`;

/** A condition on `labels`: the user has a post with this label. */
export const hasLabel = (userId: string): RawBuilder<unknown> => sql`exists (
  select from post_words where post_words.user_id = ${userId}
    and words @@ ('''' || replace(replace(${tagOf(userId) + labelWord('')} || labels.name, '\\', '\\\\'), '''', '''''') || '''')::tsquery)`;

/** A word matches by prefix, a label only as a whole. */
const queryOf = (userId: string, terms: readonly string[]) =>
  terms
    .map((term) => `'${escaped(tagOf(userId) + term)}'${term.startsWith(labelWord('')) || !isPrefix(term) ? '' : ':*'}`)
    .join(' & ');

const escaped = (term: string) => term.replace(/['\\]/g, '$&$&');

/** Few users share a tag, and each search also compares the full id. */
const tagOf = (userId: string) => userId.slice(-8);

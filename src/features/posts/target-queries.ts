import { type RawBuilder, sql } from 'kysely';
import type { OwnFiles } from '../files/files-of-target.ts';

export interface NewTarget {
  id: string;
  connectionId: string | null;
  platform: string;
  accountId: string;
  content: string;
  /** Whether the target has its own text instead of the group's. */
  contentOverridden: boolean;
  mediaIds: OwnFiles;
  /** The posts of a thread, as JSON. */
  threadParts: string;
}

/** The value of `post_groups.platforms` for these targets. */
export const platformsOf = (targets: readonly Pick<NewTarget, 'platform'>[]) =>
  [...new Set(targets.map(({ platform }) => platform))].sort();

/**
 * The targets as rows, in order. Each text is sent once, no matter how many targets use it. Otherwise many targets
 * with a long text would produce a statement of many megabytes.
 */
export function targetRows(targets: readonly NewTarget[]): RawBuilder<unknown> {
  const contents = distinctTexts(targets.map(({ content }) => content));
  const threads = distinctTexts(targets.map(({ threadParts }) => threadParts));
  return sql`
    select target.id, connection_id, platform, account_id, contents.text as content, content_overridden,
      threads.text::jsonb as thread_parts, target.ids::text[] as media_ids, position
    from unnest(
      ${targets.map(({ id }) => id)}::text[],
      ${targets.map(({ connectionId }) => connectionId)}::text[],
      ${targets.map(({ platform }) => platform)}::text[],
      ${targets.map(({ accountId }) => accountId)}::text[],
      ${contents.places}::integer[],
      ${targets.map(({ contentOverridden }) => contentOverridden)}::boolean[],
      ${threads.places}::integer[],
      ${targets.map(({ mediaIds }) => mediaIds && arrayText(mediaIds))}::text[]
    ) with ordinality as target (id, connection_id, platform, account_id, content_place, content_overridden, thread_place,
      ids, position)
    join (${textRows(contents.texts)}) contents (place, text) on contents.place = content_place
    join (${textRows(threads.texts)}) threads (place, text) on threads.place = thread_place`;
}

/** As PostgreSQL writes an array. An array of arrays must not be ragged. The ids are hexadecimal. */
const arrayText = (ids: readonly string[]) => `{${ids.join()}}`;

/** Each distinct text once, and the position of each given text in that list. */
export function distinctTexts(texts: readonly string[]): { texts: string[]; places: number[] } {
  const known = new Map<string, number>();
  for (const text of texts) if (!known.has(text)) known.set(text, known.size);
  return { texts: [...known.keys()], places: texts.map((text) => known.get(text)!) };
}

/**
 * Uses one parameter per text: array elements would be escaped, which is slow for long texts. The list is padded with
 * empty rows to a power of two, so that few different statements are prepared.
 */
function textRows(texts: readonly string[]) {
  const rows = Array.from(
    { length: 2 ** Math.ceil(Math.log2(Math.max(texts.length, 1))) },
    (_, place) => texts[place] ?? null,
  );
  return sql`values ${sql.join(rows.map((text, place) => sql`(${place}::integer, ${text}::text)`))}`;
}

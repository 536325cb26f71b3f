import { sql } from 'kysely';

/** For `where('id', '=', anyOf(ids))`: one parameter, so that lists of every length share one prepared statement. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values}::text[])`;

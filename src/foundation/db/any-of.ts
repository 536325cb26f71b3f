import { sql } from 'kysely';

/** For `where('id', '=', anyOf(ids))`: a single parameter, so lists of any length share one prepared statement. */
export const anyOf = (values: readonly string[]) => sql<string>`any(${values}::text[])`;

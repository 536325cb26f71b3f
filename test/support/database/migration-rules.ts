import { isBatch, type Migration } from '../../../src/foundation/db/migrations.ts';
import { withoutComments } from '../../../src/foundation/db/sql-statements.ts';

/**
 * Violations of the rule that processes of the previous version can work on the database during and after a migration,
 * as sentences. They do not know tables that the migration itself creates, so anything may be done to those.
 */
export function brokenRules(migration: Migration): string[] {
  const statements = migration.statements.map((text) => ({ text, sql: withoutComments(text).toLowerCase() }));
  const created = statements.map(({ sql }) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(sql)?.[1]);
  const onOld = statements.filter(({ sql }) => !created.includes(tableOf(sql) ?? ' '));
  const broken = onOld.flatMap(({ text, sql }) => {
    const rules = migration.breaking ? lockRules : [...compatibilityRules, ...lockRules];
    const found = rules.filter(({ offends }) => offends(sql, { ...migration, batch: isBatch(text) }));
    return found.map(({ says }) => `${migration.name} ${says}: ${sql}`);
  });
  return broken;
}

const tableOf = (sql: string) =>
  /^(?:alter table|comment on table|update|delete from|truncate|create (?:unique )?index .*? on)(?: if exists| only)* (\w+)/.exec(
    sql,
  )?.[1];

interface Rule {
  says: string;
  offends(sql: string, at: Pick<Migration, 'online' | 'statements'> & { batch: boolean }): boolean;
}

/** The actions of an `alter table`, split at commas outside of parentheses. */
const actions = (sql: string) =>
  /^alter table (?:if exists |only )*\w+ (.*)$/
    .exec(sql)?.[1]
    ?.split(/,(?![^(]*\))/)
    .map((action) => action.trim()) ?? [];

const anyAction = (test: RegExp, butNot?: RegExp) => (sql: string) =>
  actions(sql).some((action) => test.test(action) && !butNot?.test(action));

const compatibilityRules: Rule[] = [
  {
    says: 'drops what older processes may use',
    offends: (sql) =>
      /^drop (?!index)/.test(sql) || anyAction(/^drop (?!constraint|not null)/)(sql) || anyAction(/drop default/)(sql),
  },
  {
    says: 'drops a constraint and adds none in its place',
    offends: (sql, { statements }) =>
      actions(sql).some((action) => {
        const name = /^drop constraint (?:if exists )?(\w+)/.exec(action)?.[1];
        return name !== undefined && !statements.some((other) => other.includes(`add constraint ${name}`));
      }),
  },
  { says: 'renames', offends: (sql) => /^alter .*\brename\b/.test(sql) },
  { says: 'changes a type', offends: anyAction(/^alter (column )?\w+ (set data )?type\b/) },
  {
    says: 'forbids null in a column that older processes write',
    offends: anyAction(/^alter (column )?\w+ set not null/),
  },
  {
    says: 'adds a column that must not be null and has no default',
    offends: anyAction(/^add (?!constraint).*\bnot null\b/, /\bdefault\b|\bgenerated\b/),
  },
  { says: 'forbids duplicates that older processes may write', offends: (sql) => /^create unique index/.test(sql) },
];

const lockRules: Rule[] = [
  {
    says: 'makes an index while nobody can write (use create index concurrently if not exists, with the mark "-- online")',
    offends: (sql, { online }) =>
      /^create (unique )?index/.test(sql) && !(online && sql.includes('index concurrently if not exists')),
  },
  { says: 'adds an index with a column or constraint', offends: anyAction(/^add .*\b(unique|primary key|exclude)\b/) },
  {
    says: 'checks all rows under a lock (add it not valid, and validate it in an online migration)',
    offends: anyAction(/^add constraint .*\b(check|foreign key)\b/, /\bnot valid$/),
  },
  {
    says: 'validates a constraint in a transaction with other changes (use the mark "-- online")',
    offends: (sql, { online }) => !online && anyAction(/^validate constraint/)(sql),
  },
  {
    says: 'writes every row for a default that differs from row to row',
    offends: anyAction(/^add .*\bdefault\b.*\b(random|gen_random_uuid|clock_timestamp|nextval)\b/),
  },
  {
    says: 'changes all rows together (use an online migration with the mark "-- batch" and a limit)',
    offends: (sql, { online, batch }) =>
      /^(update|delete from|with .*\b(update|delete from)\b)/.test(sql) &&
      !(online && batch && /\blimit \d+/.test(sql)),
  },
  { says: 'locks or rewrites a table', offends: (sql) => /^(lock|truncate|cluster|vacuum full|reindex)\b/.test(sql) },
  {
    says: 'cannot be run again after an interruption (use if not exists, or the mark "-- batch")',
    offends: (sql, { online, batch }) =>
      online &&
      !batch &&
      /^(create (?!(unique )?index)|alter table \w+ add)/.test(sql) &&
      !/if not exists|or replace/.test(sql),
  },
];

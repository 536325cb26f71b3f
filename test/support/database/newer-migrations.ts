import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrationsFolder } from '../../../src/foundation/db/migrations.ts';

/** Migrations that a later version may bring: a short one, and an online one with an index and batches. */
export const newer = {
  '8001-priority.sql': `-- How urgent a post is.

alter table platform_posts add column priority integer not null default 0;
alter table platform_posts add column search_text text;
`,
  '8002-search-text.sql': `-- What the search reads.
-- online

create index concurrently if not exists platform_posts_by_priority on platform_posts (priority);

-- batch
update platform_posts set search_text = lower(content)
where id in (select id from platform_posts where search_text is null and content is not null limit 50);
`,
};

/** The current migrations followed by these, in a folder. */
export async function withMigrations(path: string, files: Record<string, string> = newer): Promise<URL> {
  await cp(migrationsFolder, path, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return pathToFileURL(`${path}/`);
}

// Writes the generated files. With --check it writes nothing and reports the files that are out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { environmentExample } from '../src/config/config.ts';
import { migrate } from '../src/foundation/db/migrate.ts';
import { documentFiles } from '../src/foundation/http/openapi/parts.ts';
import { temporaryServer } from '../test/support/database/temporary-server.ts';
import { architectureDiagram } from './architecture-diagram.ts';
import { clientFiles } from './client-types.ts';
import { withVariables } from './config-docs.ts';
import { withNetworks } from './network-docs.ts';
import { openapiDocuments, openapiText } from './openapi-text.ts';
import { platformNamesFile } from './platform-names.ts';
import { schemaSql } from './schema-sql.ts';
import { schemaTypes } from './schema-types.ts';
import { withStreamEvents } from './stream-docs.ts';
import { withEvents } from './webhook-docs.ts';

const database = await temporaryServer();
try {
  await migrate(database.url);
  const { api, dashboard, all } = await openapiDocuments(database.url);
  const client = clientFiles(JSON.parse(JSON.stringify(all)));
  await generate({
    '.env.example': environmentExample(),
    'schema.sql': await schemaSql(database.url),
    'src/foundation/db/schema.gen.ts': await schemaTypes(database.url),
    [documentFiles.api]: openapiText(api),
    [documentFiles.dashboard]: openapiText(dashboard),
    'client/src/types.gen.ts': client['types.gen.ts'],
    'client/src/api.gen.ts': client['api.gen.ts'],
    'dashboard/src/lib/platform-names.gen.ts': platformNamesFile(),
    'docs/pictures/architecture.svg': architectureDiagram(),
    'docs/configuration.md': withVariables(await textOf('docs/configuration.md')),
    'docs/networks.md': withNetworks(await textOf('docs/networks.md')),
    'docs/webhooks.md': withEvents(await textOf('docs/webhooks.md')),
    'docs/events.md': withStreamEvents(await textOf('docs/events.md')),
  });
} finally {
  await database.close();
}

function textOf(name: string): Promise<string> {
  return readFile(new URL(`../${name}`, import.meta.url), 'utf8');
}

async function generate(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(`../${name}`, import.meta.url);
    if (!process.argv.includes('--check')) await writeFile(file, text);
    else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
      console.error(`${name} is out of date: run npm run generate and commit the result.`);
      process.exitCode = 1;
    }
  }
}

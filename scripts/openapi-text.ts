import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { sealingKey } from '../src/lib/seal.ts';
import { buildServer } from '../src/server.ts';

/** `openapi.json`, from a server that is built for it. */
export async function openapiText(databaseUrl: string): Promise<string> {
  const app = await buildApp(readConfig({}), {
    databaseUrl,
    publicUrl: 'http://localhost:3000',
    sandboxUrl: null,
    sealingKeys: { current: sealingKey('00'.repeat(32)), previous: [] },
    log: pino({ level: 'silent' }),
  });
  const server = await buildServer(app);
  await server.ready();
  const text = `${dense(server.swagger())}\n`;
  await server.close();
  await app.close();
  return text;
}

const width = 180;

/** One line for what fits into it: half the size of `JSON.stringify(value, null, 2)`, and a diff still shows one field. */
function dense(value: unknown, indent = '', key = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + key.length + line.length <= width)
    return key + line;
  const items = Array.isArray(value)
    ? value.map((item) => dense(item, `${indent}\t`))
    : Object.entries(value).map(([name, item]) => dense(item, `${indent}\t`, `${JSON.stringify(name)}: `));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${key}${open}\n${items.map((item) => `${indent}\t${item}`).join(',\n')}\n${indent}${close}`;
}

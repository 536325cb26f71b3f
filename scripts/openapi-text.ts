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

const width = 320;

/** One line for what fits into it: half the size of `JSON.stringify(value, null, 2)`, and a diff still shows one field. */
function dense(value: unknown, indent = '', key = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + key.length + line.length <= width)
    return key + line;
  const [only, ...others] = Object.entries(value);
  // An object with one field opens on the line of its parent: `"content": {"application/json": {`.
  if (only && others.length === 0 && !Array.isArray(value)) {
    return `${key}{${dense(only[1], indent, `${JSON.stringify(only[0])}: `)}}`;
  }
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return `${key}[${filled(value, indent)}]`;
  const items = Array.isArray(value)
    ? value.map((item) => dense(item, `${indent}\t`))
    : Object.entries(value).map(([name, item]) => dense(item, `${indent}\t`, `${JSON.stringify(name)}: `));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${key}${open}\n${items.map((item) => `${indent}\t${item}`).join(',\n')}\n${indent}${close}`;
}

/** The words of a long list, many to a line. */
function filled(words: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const word of words.map((text) => JSON.stringify(text))) {
    const last = lines.at(-1);
    if (last && indent.length + last.length + word.length < width) lines[lines.length - 1] = `${last},${word}`;
    else lines.push(word);
  }
  return `\n${lines.map((line) => `${indent}\t${line}`).join(',\n')}\n${indent}`;
}

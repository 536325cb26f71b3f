import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config/config.ts';
import type { OpenapiDocument } from '../src/foundation/http/openapi/document.ts';
import type { Part } from '../src/foundation/http/openapi/parts.ts';
import { sealingKey } from '../src/foundation/lib/seal.ts';
import { buildServer } from '../src/surfaces/server.ts';

/** Reads the OpenAPI documents from a server built for this purpose. */
export async function openapiDocuments(databaseUrl: string): Promise<Record<Part, OpenapiDocument>> {
  const app = await buildApp(readConfig({}), {
    databaseUrl,
    publicUrl: 'http://localhost:3000',
    sandboxUrl: null,
    sealingKeys: { current: sealingKey('00'.repeat(32)), previous: [] },
    log: pino({ level: 'silent' }),
  });
  const server = await buildServer(app);
  await server.ready();
  const documents = {
    api: await server.openapi('api'),
    dashboard: await server.openapi('dashboard'),
    all: await server.openapi('all'),
  };
  await server.close();
  await app.close();
  return documents;
}

export const openapiText = (document: OpenapiDocument) => `${dense(document)}\n`;

const width = 320;
/** Fields of component schemas are at level 5, responses of operations at level 4. */
const lastLevel = 5;

/**
 * Puts a value on one line if it fits, or if it is deeper than a field or a response. Diffs still show single fields
 * and responses, and the file is hardly larger than the served document.
 */
function dense(value: unknown, level = 0, key = ''): string {
  const line = JSON.stringify(value);
  const isShort = key.length + line.length <= width;
  if (typeof value !== 'object' || value === null || isShort) return key + line;
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item === 'string')) return `${key}[${broken(filled(value), level)}]`;
  if (level === lastLevel) return key + line;
  if (isList)
    return `${key}[${broken(
      value.map((item) => dense(item, level + 1)),
      level,
    )}]`;
  const fields = Object.entries(value);
  // An object with one field opens on its parent's line: `"content":{"application/json":{`.
  const isOpened = fields.length === 1;
  const items = fields.map(([name, item]) => dense(item, isOpened ? level : level + 1, `${JSON.stringify(name)}:`));
  return `${key}{${isOpened ? items.join() : broken(items, level)}}`;
}

const broken = (items: readonly string[], level: number) =>
  `\n${items.map((item) => `${indentAt(level + 1)}${item}`).join(',\n')}\n${indentAt(level)}`;

/** The two outermost levels are not indented: that would only add a tab to every line. */
const indentAt = (level: number) => '\t'.repeat(Math.max(0, level - 2));

/** Fills lines with the words of a long list. */
function filled(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words.map((text) => JSON.stringify(text))) {
    const last = lines.at(-1);
    if (last && last.length + word.length < width) lines[lines.length - 1] = `${last},${word}`;
    else lines.push(word);
  }
  return lines;
}

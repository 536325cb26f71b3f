import { readdir, readFile } from 'node:fs/promises';
import { sqlStatements } from './sql-statements.ts';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** One file of the folder `migrations`. CONTRIBUTING.md explains how to write one. */
export interface Migration {
  name: string;
  /** The first line of the file, which states its purpose. */
  about: string;
  text: string;
  statements: readonly string[];
  /** Runs statement by statement outside a transaction, and can be rerun after an interruption. */
  online: boolean;
  /** The previous version cannot use the database afterwards. */
  breaking: boolean;
}

export async function migrationNames(folder: URL = migrationsFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
}

export async function readMigration(name: string, folder: URL = migrationsFolder): Promise<Migration> {
  return parseMigration(name, await readFile(new URL(name, folder), 'utf8'));
}

export function parseMigration(name: string, text: string): Migration {
  return {
    name,
    text,
    about: /^-- *(.*)/.exec(text)?.[1] ?? '',
    statements: sqlStatements(text),
    online: hasMark(text, 'online'),
    breaking: hasMark(text, 'breaking'),
  };
}

/** A batch statement changes a limited number of rows, and is repeated until it finds none. */
export const isBatch = (statement: string) => hasMark(statement, 'batch');

/** A mark is a separate comment line, such as `-- online`. */
const hasMark = (text: string, mark: 'online' | 'batch' | 'breaking') => new RegExp(`^-- ${mark}$`, 'm').test(text);

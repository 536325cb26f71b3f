import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = new URL('../node_modules/', import.meta.url);

/** A file of a package that `npm run test:specs` installs. */
export const packageFile = (path: string): string => readFileSync(new URL(path, folder), 'utf8');

export function packageVersion(name: string): string {
  const { version }: { version: string } = JSON.parse(packageFile(`${name}/package.json`));
  return `${name} ${version}`;
}

/**
 * For packages that exist only after `npm run test:specs` has installed them, while type checking runs without them.
 */
export const packageModule = (name: string, file: string) =>
  import(pathToFileURL(new URL(`${name}/${file}`, folder).pathname).href);

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Spec } from '../spec.ts';
import { type Discovery, discoverySpec } from './discovery.ts';
import { type ApiSpec, apiSpecsSpec } from './meta.ts';
import { type OpenApi, openApiSpec } from './openapi.ts';

/** Whose OpenAPI document this is, by its title. */
const titles: readonly (readonly [RegExp, string])[] = [
  [/^(X|Twitter) API/, 'twitter'],
  [/^Mastodon/, 'mastodon'],
  [/^Pinterest/, 'pinterest'],
];

/** The vendors' documents in a folder and those below it, recognized by what they contain. */
export function specsIn(folder: string): Map<string, Spec[]> {
  const found = new Map<string, Spec[]>();
  const add = (platform: string, spec: Spec) => found.set(platform, [...(found.get(platform) ?? []), spec]);
  for (const file of filesIn(folder)) {
    // Meta has a file for each kind of object, and all belong together.
    if (basename(file) === 'IGUser.json' || isPartOfMeta(file)) continue;
    const document: Partial<OpenApi & Discovery> = JSON.parse(readFileSync(file, 'utf8'));
    const name = basename(file);
    if (document.openapi !== undefined) {
      const [, platform] = titles.find(([title]) => title.test(document.info?.title ?? '')) ?? [];
      if (platform) add(platform, openApiSpec(document as OpenApi, name));
    }
    if (document.discoveryVersion !== undefined && document.name === 'youtube') {
      add('youtube', discoverySpec(document as Discovery, name));
    }
  }
  const meta = filesIn(folder).find((file) => basename(file) === 'IGUser.json');
  if (meta) {
    const spec = apiSpecsSpec(metaSpecsIn(dirname(meta)), basename(dirname(meta)));
    add('facebook', spec);
    add('instagram', spec);
  }
  return found;
}

const isPartOfMeta = (file: string) => existsSync(join(dirname(file), 'IGUser.json'));

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesIn(path);
    return name.endsWith('.json') ? [path] : [];
  });
}

function metaSpecsIn(folder: string): Map<string, ApiSpec> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const specs = files.map((name): [string, ApiSpec] => [
    basename(name, '.json'),
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ]);
  return new Map(specs.filter(([, spec]) => Array.isArray(spec.apis)));
}

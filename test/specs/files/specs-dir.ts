import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Spec } from '../spec.ts';
import { type Discovery, discoverySpec } from './discovery.ts';
import { type ApiSpec, apiSpecsSpec } from './meta.ts';
import { openApiSpec } from './openapi.ts';
import type { OpenApi } from './openapi-document.ts';

/** Identifies the vendor of an OpenAPI document by its title. */
const titles: readonly (readonly [RegExp, string])[] = [
  [/^(X|Twitter) API/, 'twitter'],
  [/^Mastodon/, 'mastodon'],
  [/^Pinterest/, 'pinterest'],
];

/** The vendors' documents in a folder and its subfolders, by network. They are recognized by their content. */
export function specsIn(folder: string): Map<string, Spec[]> {
  if (!existsSync(folder)) throw new Error(`SPECS_DIR names "${folder}", which does not exist.`);
  const found = new Map<string, Spec[]>();
  const add = (platform: string, spec: Spec) => found.set(platform, [...(found.get(platform) ?? []), spec]);
  const files = filesIn(folder);
  for (const file of files.filter((path) => !isPartOfMeta(path))) {
    const document: Partial<OpenApi> | Partial<Discovery> = JSON.parse(readFileSync(file, 'utf8'));
    if (isDiscovery(document)) add(document.name, discoverySpec(document, basename(file)));
    if (!isOpenApi(document)) continue;
    const [, platform] = titles.find(([title]) => title.test(document.info.title)) ?? [];
    if (platform) add(platform, openApiSpec(document, basename(file)));
  }
  const meta = files.find(isPartOfMeta);
  if (meta) {
    const spec = apiSpecsSpec(metaSpecsIn(dirname(meta)), basename(dirname(meta)));
    for (const platform of ['facebook', 'instagram']) add(platform, spec);
  }
  return found;
}

const isOpenApi = (document: object): document is OpenApi => 'openapi' in document;
const isDiscovery = (document: object): document is Discovery => 'discoveryVersion' in document;

/** Meta has one file for each kind of object, and all belong together. */
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

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { postLogEventNames, webhookEventNames, webhookTest } from '../src/foundation/events/catalogue.ts';
import { connectables } from '../src/platforms/index.ts';

/** From the top down. A file may import from its own floor and from the floors below. */
const floors = [
  /^src\/(main|admin|start)\.ts$/,
  /^src\/surfaces\//,
  /^src\/startup\//,
  /^src\/features\//,
  /^src\/app\.ts$/,
  /^src\/config\//,
  /^src\/platforms\//,
  /^src\/foundation\//,
];

/** Each feature may use the use-cases and shapes of those before it, but not their SQL, routes or tasks. */
const features = [
  'audit',
  'mail',
  'users',
  'auth',
  'request-log',
  'accounts',
  'drafts',
  'connections',
  'files',
  'slots',
  'posts',
  'media',
  'publishing',
  'insights',
  'interactions',
  'webhooks',
  'stream',
  'account-data',
];

/** Features that work on the same rows may use each other's SQL, in the same order. */
const shareRows = [
  ['audit', 'users', 'auth', 'accounts', 'account-data'],
  ['files', 'media'],
];

/** Each folder of the foundation may use those before it. */
const foundation = [
  'time',
  'lib',
  'text',
  'system',
  'tracing',
  'egress',
  'storage',
  'events',
  'errors',
  'db',
  'periodic',
  'http',
];

/** Only these files send requests to addresses that users provide. All other code goes through them. */
const outgoing = /^src\/(app\.ts|features\/(files|interactions|webhooks)\/|foundation\/egress\/)/;

/** Expressions that are allowed in one place only. */
const words: [rule: string, word: RegExp, where: RegExp][] = [
  [
    'the environment is read once, in config.ts, but for the words of texts',
    /\bprocess\.env\b/,
    /^(src\/config\/config\.ts|src\/foundation\/system\/admin-command-line\.ts|sandbox\/main\.ts)$/,
  ],
  ['time comes from app.clock', /\bnew Date\(\)|\bDate\.now\(\)/, /^(src\/foundation\/time\/clock\.ts|sandbox\/.*)$/],
  [
    'requests to platforms go through ctx.fetch',
    /(?<![.\w]|async )fetch\(|\bglobalThis\.fetch\b/,
    /^(src\/app\.ts|src\/startup\/.*|sandbox\/.*)$/,
  ],
  [
    'sockets to addresses that users give are opened by the egress guard',
    /\bundici\b/,
    /^src\/foundation\/egress\/.*$/,
  ],
  [
    'texts of strangers are parsed as URLs by parseUrl, which refuses long ones',
    /\bURL\.(parse|canParse)\(/,
    /^(src\/config\/.*|src\/foundation\/lib\/(parse|mail|database)-url\.ts|sandbox\/.*)$/,
  ],
  ['advisory locks have their keys in one list', /\b7_?246_?\d{3}\b/, /^src\/foundation\/db\/advisory-locks\.ts$/],
  ['random values come from node:crypto', /\bMath\.random\(\)/, /^$/],
  [
    'events are named in the catalogue',
    quoted(eventNames()),
    /^src\/foundation\/events\/catalogue\.ts$|\/examples\.ts$/,
  ],
];

/** Files besides `src/platforms/` that may name a platform. */
const namesPlatforms: [where: RegExp, reason: string][] = [
  [/^src\/features\/(insights|interactions)\/linkedin\//, 'the contract has routes for LinkedIn alone'],
  [/^src\/surfaces\/server\.ts$/, 'it adds those routes'],
  [/^src\/surfaces\/mcp\/tools\//, 'the contract has tools for LinkedIn alone'],
  [/^src\/foundation\/errors\//, 'they hold the errors of those routes'],
  [/^src\/foundation\/events\/catalogue\.ts$/, 'the contract has log events for LinkedIn alone'],
  [/^src\/features\/media\/uploads\/routes\.ts$/, 'the contract names two upload routes after their platform'],
  [/^src\/foundation\/http\/openapi\/problems\.ts$/, 'it names the answers that the LinkedIn routes share'],
  [/\/examples\.ts$/, 'examples of the API reference have real ids'],
  [/^src\/config\/plans\.ts$/, 'a plan can leave out a platform'],
  [/^src\/foundation\/db\/schema\.gen\.ts$/, 'it is generated from the database'],
];

const root = new URL('..', import.meta.url).pathname;
const files = ['src', 'sandbox'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')),
);

const platformFolders = files
  .flatMap((file) => /^src\/platforms\/(?!kit\/)(\w+)\/description\.ts$/.exec(file)?.[1] ?? [])
  .sort();

describe('who may import whom', () => {
  test('every file of src is on a floor', () => {
    expect(files.filter((file) => file.startsWith('src/') && floorOf(file) === -1)).toEqual([]);
  });

  test('every feature and every folder of the foundation has its place in the order', () => {
    expect(readdirSync(join(root, 'src/features')).sort()).toEqual([...features].sort());
    expect(readdirSync(join(root, 'src/foundation')).sort()).toEqual([...foundation].sort());
  });

  test('every import is allowed', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport(file, target))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['an adapter of another', 'src/platforms/mastodon/publish.ts', 'src/platforms/twitter/api.ts'],
    ['an adapter of the egress guard', 'src/platforms/mastodon/api.ts', 'src/foundation/egress/egress.ts'],
    ['a lower floor of a higher one', 'src/foundation/lib/ids.ts', 'src/features/posts/posts.ts'],
    ['a folder of the foundation of a later one', 'src/foundation/lib/ids.ts', 'src/foundation/db/database.ts'],
    ['a feature of a later one', 'src/features/accounts/profile/profile.ts', 'src/features/posts/posts.ts'],
    ['a feature of the SQL of another', 'src/features/posts/posts.ts', 'src/features/users/queries.ts'],
    ['a feature of the egress guard', 'src/features/accounts/profile/profile.ts', 'src/foundation/egress/egress.ts'],
    ['the sandbox of Crier', 'sandbox/server.ts', 'src/foundation/lib/ids.ts'],
  ])('the rule notices an import by %s', (_what, file, target) => {
    expect(mayImport(file, target)).toBe(false);
  });

  test('the rule lets a feature use its floor and those below', () => {
    expect(mayImport('src/features/webhooks/webhooks.ts', 'src/foundation/egress/egress.ts')).toBe(true);
    expect(mayImport('src/features/auth/tasks.ts', 'src/features/users/queries.ts')).toBe(true);
    expect(mayImport('src/features/posts/posts.ts', 'src/features/users/quotas.ts')).toBe(true);
  });
});

describe('expressions that may stand in one place only', () => {
  test('the rule notices the name of an event in code and in SQL', () => {
    const names = quoted(eventNames());
    expect(names.test(`select 'post.published', id`)).toBe(true);
    expect(names.test('entry("publish_failed")')).toBe(true);
    expect(names.test(`status = 'scheduled'`)).toBe(false);
  });

  test.each(words)('%s', (_rule, word, where) => {
    expect(files.filter((file) => !where.test(file) && word.test(withoutComments(file)))).toEqual([]);
  });
});

/** `scheduled` and `processing` are also post statuses, so they cannot be distinguished from those. */
function eventNames(): string[] {
  const statuses = ['scheduled', 'processing'];
  return [...webhookEventNames, webhookTest.name, ...postLogEventNames].filter((name) => !statuses.includes(name));
}

function quoted(names: string[]): RegExp {
  return new RegExp(`['"\`](${names.map((name) => name.replaceAll('.', '\\.')).join('|')})['"\`]`);
}

describe('platforms are named only in src/platforms/', () => {
  test('no other file has a platform in its name or its code', () => {
    const others = files.filter((file) => /^src\/(?!platforms\/)/.test(file));
    const found = others.filter((file) => !namesPlatforms.some(([where]) => where.test(file)));
    expect(found.filter((file) => namesPlatform(file, withoutComments(file)))).toEqual([]);
  });

  test('every exception is needed', () => {
    const unused = namesPlatforms.filter(
      ([where]) => !files.some((file) => where.test(file) && namesPlatform(file, withoutComments(file))),
    );
    expect(unused).toEqual([]);
  });

  test.each([
    ['src/features/posts/validate/media-rules.ts', `if (platform !== 'instagram') return 'feed';`],
    ['src/features/media/attach-media.ts', `platformIds.filter((id) => id.startsWith('youtube-'))`],
    ['src/features/files/queries.ts', `sql\`platform_settings #>> '{instagram,coverUrl}'\``],
    ['src/features/files/queries.ts', `type Purpose = 'post' | 'youtube_thumbnail';`],
    ['src/features/posts/update/update-post.ts', 'const { youtube, instagram } = platformSettings;'],
    ['src/features/media/uploads/thumbnails.ts', 'export const youtubeThumbnail = {};'],
    ['src/features/posts/platforms.ts', `const commentable = ['threads'];`],
    ['src/features/posts/linkedin-mentions.ts', 'export {};'],
  ])('the rule notices %s: %s', (file, code) => {
    expect(namesPlatform(file, code)).toBe(true);
  });

  test('the rule lets plain words pass', () => {
    const code = `import { Worker } from 'node:worker_threads';\nconst { threads } = limits;`;
    expect(namesPlatform('src/features/posts/validate/thread-permission.ts', code)).toBe(false);
  });
});

describe('every platform is a folder with the same file names', () => {
  test('every folder is registered', () => {
    expect(platformFolders).toEqual(Object.keys(connectables).sort());
  });

  test.each(Object.values(connectables))('$id', ({ id, settings, ...platform }) => {
    const names = ['index.ts', 'description.ts', 'limits.ts', 'api.ts', 'failure.ts', 'connect.ts'];
    if ('publish' in platform) names.push('publish.ts');
    if (Object.keys(settings.shape).length > 0) names.push('settings.ts');
    expect(readdirSync(join(root, 'src/platforms', id))).toEqual(expect.arrayContaining(names));
  });
});

function mayImport(file: string, target: string): boolean {
  // The sandbox is written only from the vendors' documentation, so that adapters and sandbox check each other.
  if (file.startsWith('sandbox/')) return target.startsWith('sandbox/');
  if (target === 'package.json') return true;
  if (floorOf(target) < floorOf(file)) return false;
  if (target.startsWith('src/foundation/egress/') && !outgoing.test(file)) return false;
  if (file.startsWith('src/platforms/')) return mayAdapterImport(file, target);
  const [feature, of] = [featureOf(file), featureOf(target)];
  if (feature && of && feature !== of) {
    const isPublic = !/[/-](queries|routes|tasks)\.ts$/.test(target);
    const sharesRows = shareRows.some((group) => group.includes(feature) && group.includes(of));
    return features.indexOf(of) < features.indexOf(feature) && (isPublic || sharesRows);
  }
  const [folder, from] = [foundationOf(file), foundationOf(target)];
  return !folder || !from || foundation.indexOf(from) <= foundation.indexOf(folder);
}

/** An adapter may import the kit, itself and its family's shared code, but no other adapter. */
function mayAdapterImport(file: string, target: string): boolean {
  const shared = /^src\/foundation\/(lib|text|errors)\//;
  const folder = /^src\/platforms\/(\w+)\//.exec(file)?.[1];
  if (shared.test(target)) return true;
  if (!folder) return target.startsWith('src/platforms/');
  if (folder === 'kit') return target.startsWith('src/platforms/kit/');
  return (
    target === 'src/platforms/kit/index.ts' ||
    target.startsWith('src/platforms/graph/') ||
    target.startsWith(`src/platforms/${folder}/`)
  );
}

const floorOf = (file: string) => floors.findIndex((floor) => floor.test(file));
const featureOf = (file: string) => /^src\/features\/([\w-]+)\//.exec(file)?.[1];
const foundationOf = (file: string) => /^src\/foundation\/(\w+)\//.exec(file)?.[1];

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?'(\.{1,2}\/[^']+)'/g)].map(
    ([, specifier]) => specifier!,
  );
  return specifiers.map((specifier) => relative(root, join(root, dirname(file), specifier)));
}

function withoutComments(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}

/** Named as a string that is or starts with the id, as an identifier or part of one, or in the file's name. */
function namesPlatform(file: string, code: string): boolean {
  const ids = platformFolders.join('|');
  // `threads` is an ordinary word that any code may use as a name.
  const names = platformFolders.filter((id) => id !== 'threads');
  const capitals = names.map((id) => id[0]!.toUpperCase() + id.slice(1));
  const asString = new RegExp(`(['\`])\\{?(${ids})(?=\\1|[-_.,/])`);
  const asIdentifier = new RegExp(
    `(?<![A-Za-z])(${names.join('|')})(?![a-z])|(?<=[a-z])(${capitals.join('|')})(?![a-z])`,
  );
  const withoutStrings = code.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '');
  return asString.test(code) || asIdentifier.test(withoutStrings) || asIdentifier.test(file.split('/').at(-1)!);
}
